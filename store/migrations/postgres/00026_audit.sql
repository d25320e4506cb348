-- +goose Up

-- Who did what, on what, when, from where. Names are those of that time: users,
-- workspaces and targets may be gone, so nothing here refers to their rows.
CREATE TABLE audit_events (
  id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  created_at BIGINT NOT NULL,
  action TEXT NOT NULL,
  outcome TEXT NOT NULL,
  actor_kind TEXT NOT NULL,
  user_id INTEGER,
  actor TEXT NOT NULL,
  token_id INTEGER,
  address TEXT NOT NULL,
  request TEXT NOT NULL,
  workspace_id INTEGER,
  workspace TEXT NOT NULL,
  target_kind TEXT NOT NULL,
  target_id TEXT NOT NULL,
  target TEXT NOT NULL,
  detail TEXT NOT NULL
);
CREATE INDEX audit_events_created ON audit_events (created_at);
CREATE INDEX audit_events_workspace ON audit_events (workspace_id, id);
CREATE INDEX audit_events_user ON audit_events (user_id, id);
CREATE INDEX audit_events_action ON audit_events (action, id);
CREATE INDEX audit_events_target ON audit_events (target_kind, target_id, id);

-- +goose Down
DROP TABLE audit_events;
