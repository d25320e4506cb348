-- +goose Up

-- How many entries of a run are in each state, so that nothing is counted when it
-- is asked for. Triggers count, as programs of the version before change entries,
-- too. Each connection adds to a row of its own (slot), so that none waits for
-- another; the sum is the answer. Those that are still to be made are not counted:
-- they are what the last position leaves, less those that are not there (missing).
CREATE TABLE job_counts (
    run_id     INTEGER NOT NULL REFERENCES job_runs (id) ON DELETE CASCADE,
    slot       INTEGER NOT NULL,
    review     BIGINT NOT NULL DEFAULT 0,
    delivering BIGINT NOT NULL DEFAULT 0,
    completed  BIGINT NOT NULL DEFAULT 0,
    error      BIGINT NOT NULL DEFAULT 0,
    rejected   BIGINT NOT NULL DEFAULT 0,
    missing    BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (run_id, slot)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);

-- +goose StatementBegin
CREATE FUNCTION count_job_entries_made() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO job_counts AS c (run_id, slot, review, delivering, completed, error, rejected)
    SELECT run_id, pg_backend_pid() % 64,
            COUNT(*) FILTER (WHERE state = 'review'),
            COUNT(*) FILTER (WHERE state = 'delivering'),
            COUNT(*) FILTER (WHERE state = 'completed'),
            COUNT(*) FILTER (WHERE state = 'error'),
            COUNT(*) FILTER (WHERE state = 'rejected')
        FROM made WHERE state NOT IN ('queued', 'rendering') GROUP BY run_id ORDER BY run_id
    ON CONFLICT (run_id, slot) DO UPDATE SET
        review = c.review + excluded.review,
        delivering = c.delivering + excluded.delivering,
        completed = c.completed + excluded.completed,
        error = c.error + excluded.error,
        rejected = c.rejected + excluded.rejected;
    RETURN NULL;
END $$;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE FUNCTION count_job_entries_moved() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO job_counts AS c (run_id, slot, review, delivering, completed, error, rejected)
    SELECT run_id, pg_backend_pid() % 64,
            COALESCE(SUM(n) FILTER (WHERE state = 'review'), 0),
            COALESCE(SUM(n) FILTER (WHERE state = 'delivering'), 0),
            COALESCE(SUM(n) FILTER (WHERE state = 'completed'), 0),
            COALESCE(SUM(n) FILTER (WHERE state = 'error'), 0),
            COALESCE(SUM(n) FILTER (WHERE state = 'rejected'), 0)
        FROM (SELECT run_id, state, -1 AS n FROM were UNION ALL SELECT run_id, state, 1 FROM moved) AS changed
        WHERE state NOT IN ('queued', 'rendering') GROUP BY run_id
        HAVING SUM(n) FILTER (WHERE state = 'review') <> 0
            OR SUM(n) FILTER (WHERE state = 'delivering') <> 0
            OR SUM(n) FILTER (WHERE state = 'completed') <> 0
            OR SUM(n) FILTER (WHERE state = 'error') <> 0
            OR SUM(n) FILTER (WHERE state = 'rejected') <> 0
        ORDER BY run_id
    ON CONFLICT (run_id, slot) DO UPDATE SET
        review = c.review + excluded.review,
        delivering = c.delivering + excluded.delivering,
        completed = c.completed + excluded.completed,
        error = c.error + excluded.error,
        rejected = c.rejected + excluded.rejected;
    RETURN NULL;
END $$;
-- +goose StatementEnd

-- From here on nobody changes entries until all of this is done.
CREATE TRIGGER job_entries_made AFTER INSERT ON job_entries
    REFERENCING NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION count_job_entries_made();
CREATE TRIGGER job_entries_moved AFTER UPDATE ON job_entries
    REFERENCING OLD TABLE AS were NEW TABLE AS moved FOR EACH STATEMENT EXECUTE FUNCTION count_job_entries_moved();

INSERT INTO job_counts (run_id, slot, review, delivering, completed, error, rejected, missing)
SELECT run_id, -1,
        COUNT(*) FILTER (WHERE state = 'review'),
        COUNT(*) FILTER (WHERE state = 'delivering'),
        COUNT(*) FILTER (WHERE state = 'completed'),
        COUNT(*) FILTER (WHERE state = 'error'),
        COUNT(*) FILTER (WHERE state = 'rejected'),
        MAX(position) - COUNT(*)
    FROM job_entries GROUP BY run_id;

-- +goose Down
DROP TRIGGER job_entries_moved ON job_entries;
DROP TRIGGER job_entries_made ON job_entries;
DROP FUNCTION count_job_entries_moved;
DROP FUNCTION count_job_entries_made;
DROP TABLE job_counts;
