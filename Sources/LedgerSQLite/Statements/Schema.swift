import Pipeline
import SQLite

/// The tables, and how an older file gets them.
enum Schema {
  /// Stands in the file's header, so that no other program's database is ever taken for a ledger: 'HLYD'.
  static let applicationID: Int64 = 0x484C_5944

  /// Each brings the file from the version of its index to the next; what was released is never edited.
  static let migrations = [version1, version2, version3, version4, version5]
  static var version: Int64 { Int64(migrations.count) }

  /// - `batch.serial` stands for the batch elsewhere; its id would take five times the room.
  /// - `job.state`: see `StoredState`. A job is over from 5 on, and `job_open` holds the others only.
  /// - `result.place` is the batch's serial and the row's number in one key, so that rows are appended and read in
  ///   order. Large rows are why this table has a row id.
  private static let version1 = """
    CREATE TABLE batch (
      serial INTEGER PRIMARY KEY,
      id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
      total INTEGER,
      rows INTEGER NOT NULL DEFAULT 0,
      confirmed INTEGER NOT NULL DEFAULT 0,
      changed_at INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE job (
      id BLOB PRIMARY KEY CHECK (length(id) = 16),
      batch INTEGER NOT NULL,
      ordinal INTEGER NOT NULL,
      state INTEGER NOT NULL,
      attempts INTEGER NOT NULL DEFAULT 0,
      crashes INTEGER NOT NULL DEFAULT 0,
      token INTEGER,
      worker BLOB,
      run_at INTEGER,
      deadline INTEGER,
      record BLOB NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX job_open ON job (id) WHERE state < 5;
    CREATE TABLE cause (
      job BLOB NOT NULL,
      attempt INTEGER NOT NULL,
      failed_at INTEGER NOT NULL,
      failure BLOB NOT NULL,
      PRIMARY KEY (job, attempt)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE result (
      place INTEGER PRIMARY KEY,
      job BLOB NOT NULL UNIQUE,
      ordinal INTEGER NOT NULL,
      failure TEXT,
      json BLOB NOT NULL
    ) STRICT;
    CREATE TABLE run (
      name TEXT PRIMARY KEY,
      batch BLOB NOT NULL UNIQUE
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE lease (last_token INTEGER NOT NULL) STRICT;
    INSERT INTO lease VALUES (0);
    """

  /// What a fleet asks for: jobs by state, by the time of their retry and by deadline; dead letters; batches that count
  /// their jobs; workers.
  ///
  /// A job loses its deadline when it is over, and `run_at` when it is due: so the indexes on them hold open jobs only,
  /// and no change of the state alone touches them.
  private static let version2 = """
    ALTER TABLE batch ADD COLUMN submitted INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE batch ADD COLUMN settled INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE batch ADD COLUMN failed INTEGER NOT NULL DEFAULT 0;
    UPDATE batch SET submitted = counted.submitted, settled = counted.settled, failed = counted.failed
    FROM (
      SELECT batch AS serial, count(*) AS submitted, sum(state >= 5) AS settled, sum(state > 5) AS failed
      FROM job GROUP BY batch
    ) AS counted
    WHERE counted.serial = batch.serial;
    UPDATE job SET deadline = NULL WHERE state >= 5 AND deadline IS NOT NULL;
    DROP INDEX job_open;
    CREATE INDEX job_open ON job (state, id) WHERE state < 5;
    CREATE INDEX job_due ON job (run_at, id) WHERE run_at IS NOT NULL;
    CREATE INDEX job_deadline ON job (deadline, id) WHERE deadline IS NOT NULL;
    CREATE INDEX job_dead ON job (id) WHERE state = 6;
    CREATE TABLE worker (
      id BLOB PRIMARY KEY CHECK (length(id) = 16),
      seen_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    """

  /// Answers that are kept for later jobs.
  private static let version3 = CacheStatements.table

  /// What a batch is told and what becomes of it: that it is cancelled (`cancels` is 1 when what a worker is on is too),
  /// how many of its jobs were, that its producer left, and when it had its last submission.
  private static let version4 = """
    ALTER TABLE batch ADD COLUMN cancelled INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE batch ADD COLUMN abandoned INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE batch ADD COLUMN submitted_at INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE batch ADD COLUMN cancels INTEGER;
    ALTER TABLE batch ADD COLUMN cause TEXT;
    UPDATE batch SET submitted_at = changed_at;
    UPDATE batch SET cancelled = counted.cancelled, failed = failed - counted.cancelled
    FROM (SELECT batch AS serial, count(*) AS cancelled FROM job WHERE state = 7 GROUP BY batch) AS counted
    WHERE counted.serial = batch.serial;
    """

  /// Ready jobs by batch, block and host, so that the jobs of one host do not stand before those of all others, and yet
  /// what is submitted together stands on neighbouring pages. `job_open` does without them, as each would be written
  /// twice. Jobs of an older file have no host here, and are read as if they all waited for the same.
  private static let version5 = """
    ALTER TABLE job ADD COLUMN host TEXT NOT NULL DEFAULT '';
    ALTER TABLE job ADD COLUMN block INTEGER NOT NULL DEFAULT 0;
    UPDATE job SET block = (ordinal & 1099511627775) >> \(ReadyPlace.blockBits) WHERE state < 5 OR state = 6;
    DROP INDEX job_open;
    CREATE INDEX job_open ON job (state, id) WHERE \(isOpenElsewhere);
    CREATE INDEX job_ready ON job (state, batch, block, host, id) WHERE state = 2;
    """

  /// What `job_open` holds. A statement that is to use the index says this word for word.
  static let isOpenElsewhere = "state < 5 AND state <> 2"
}
