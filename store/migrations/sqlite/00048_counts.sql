-- +goose Up

-- How many entries of a run are in each state, so that nothing is counted when it
-- is asked for. Triggers count, as programs of the version before change entries,
-- too. slot is for databases with many writers; here it is 0, and -1 for what was
-- counted otherwise. Those that are still to be made are not counted: they are what
-- the last position leaves, less those that are not there (missing).
CREATE TABLE job_counts (
    run_id     INTEGER NOT NULL REFERENCES job_runs (id) ON DELETE CASCADE,
    slot       INTEGER NOT NULL,
    review     INTEGER NOT NULL DEFAULT 0,
    delivering INTEGER NOT NULL DEFAULT 0,
    completed  INTEGER NOT NULL DEFAULT 0,
    error      INTEGER NOT NULL DEFAULT 0,
    rejected   INTEGER NOT NULL DEFAULT 0,
    missing    INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (run_id, slot)
);

-- +goose StatementBegin
CREATE TRIGGER job_entries_made AFTER INSERT ON job_entries WHEN NEW.state NOT IN ('queued', 'rendering') BEGIN
    INSERT INTO job_counts (run_id, slot, review, delivering, completed, error, rejected)
    VALUES (NEW.run_id, 0, NEW.state = 'review', NEW.state = 'delivering', NEW.state = 'completed', NEW.state = 'error', NEW.state = 'rejected')
    ON CONFLICT (run_id, slot) DO UPDATE SET
        review = review + excluded.review,
        delivering = delivering + excluded.delivering,
        completed = completed + excluded.completed,
        error = error + excluded.error,
        rejected = rejected + excluded.rejected;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER job_entries_moved AFTER UPDATE OF state ON job_entries
WHEN NEW.state <> OLD.state AND NOT (NEW.state IN ('queued', 'rendering') AND OLD.state IN ('queued', 'rendering')) BEGIN
    INSERT INTO job_counts (run_id, slot, review, delivering, completed, error, rejected)
    VALUES (NEW.run_id, 0,
        (NEW.state = 'review') - (OLD.state = 'review'),
        (NEW.state = 'delivering') - (OLD.state = 'delivering'),
        (NEW.state = 'completed') - (OLD.state = 'completed'),
        (NEW.state = 'error') - (OLD.state = 'error'),
        (NEW.state = 'rejected') - (OLD.state = 'rejected'))
    ON CONFLICT (run_id, slot) DO UPDATE SET
        review = review + excluded.review,
        delivering = delivering + excluded.delivering,
        completed = completed + excluded.completed,
        error = error + excluded.error,
        rejected = rejected + excluded.rejected;
END;
-- +goose StatementEnd

INSERT INTO job_counts (run_id, slot, review, delivering, completed, error, rejected, missing)
SELECT run_id, -1,
        SUM(state = 'review'),
        SUM(state = 'delivering'),
        SUM(state = 'completed'),
        SUM(state = 'error'),
        SUM(state = 'rejected'),
        MAX(position) - COUNT(*)
    FROM job_entries GROUP BY run_id;

-- +goose Down
DROP TRIGGER job_entries_moved;
DROP TRIGGER job_entries_made;
DROP TABLE job_counts;
