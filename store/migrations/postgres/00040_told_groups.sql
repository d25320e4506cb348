-- +goose Up

-- The groups that a provider named when somebody last came in by it, or was last
-- looked up there. They are for reports; roles that follow are given otherwise.
CREATE TABLE told_groups (
    issuer  TEXT NOT NULL,
    subject TEXT NOT NULL,
    name    TEXT NOT NULL,
    PRIMARY KEY (issuer, subject, name),
    FOREIGN KEY (issuer, subject) REFERENCES identities (issuer, subject) ON DELETE CASCADE
);

-- +goose Down
DROP TABLE told_groups;
