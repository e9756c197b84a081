import Pipeline
import SQLite

/// The tables, and how an older file gets them.
enum Schema {
  /// Stands in the file's header, so that no other program's database is ever taken for a ledger: 'HLYL'.
  static let applicationID: Int64 = 0x484C_594C

  /// Each brings the file from the version of its index to the next; what was released is never edited.
  static let migrations = [
    version1 + CacheStatements.table, version2, version3, version4, version5, version6,
  ]
  static var version: Int64 { Int64(migrations.count) }

  /// - `batch.serial` stands for the batch elsewhere; its id would take five times the room. `cancels` is not NULL while the
  ///   batch is cancelled, and 1 when what a worker is on is too.
  /// - `job.state`: see `StoredState`. A job is over from 5 on.
  /// - A job loses its deadline when it is over, and `run_at` when it is due: so the indexes on them hold open jobs only,
  ///   and no change of the state alone touches them.
  /// - `job_ready` holds ready jobs by batch, block and host, so that the jobs of one host do not stand before those of all
  ///   others, and yet what is submitted together stands on neighbouring pages. `job_open` does without them, as each
  ///   would be written twice.
  /// - `result.place` is the batch's serial and the row's number in one key, so that rows are appended and read in
  ///   order. Large rows are why this table has a row id.
  private static let version1 = """
    CREATE TABLE batch (
      serial INTEGER PRIMARY KEY,
      id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
      total INTEGER,
      rows INTEGER NOT NULL DEFAULT 0,
      confirmed INTEGER NOT NULL DEFAULT 0,
      changed_at INTEGER NOT NULL,
      submitted INTEGER NOT NULL DEFAULT 0,
      settled INTEGER NOT NULL DEFAULT 0,
      failed INTEGER NOT NULL DEFAULT 0,
      cancelled INTEGER NOT NULL DEFAULT 0,
      abandoned INTEGER NOT NULL DEFAULT 0,
      submitted_at INTEGER NOT NULL DEFAULT 0,
      cancels INTEGER,
      cause TEXT
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
      record BLOB NOT NULL,
      host TEXT NOT NULL DEFAULT '',
      block INTEGER NOT NULL DEFAULT 0
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX job_open ON job (state, id) WHERE \(isOpenElsewhere);
    CREATE INDEX job_ready ON job (state, batch, block, host, id) WHERE state = 2;
    CREATE INDEX job_due ON job (run_at, id) WHERE run_at IS NOT NULL;
    CREATE INDEX job_deadline ON job (deadline, id) WHERE deadline IS NOT NULL;
    CREATE INDEX job_dead ON job (id) WHERE state = 6;
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
    CREATE TABLE worker (
      id BLOB PRIMARY KEY CHECK (length(id) = 16),
      seen_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE lease (last_token INTEGER NOT NULL) STRICT;
    INSERT INTO lease VALUES (0);

    """

  /// What batches ask for, and what is paused: hosts by their name, and all as the empty one.
  private static let version2 = """
    ALTER TABLE batch ADD COLUMN first_submitted_at INTEGER;
    ALTER TABLE batch ADD COLUMN name TEXT;
    ALTER TABLE batch ADD COLUMN weight INTEGER;
    ALTER TABLE batch ADD COLUMN at_most INTEGER;
    ALTER TABLE batch ADD COLUMN per_hour INTEGER;
    ALTER TABLE batch ADD COLUMN starts_at INTEGER;
    ALTER TABLE batch ADD COLUMN deadline INTEGER;
    ALTER TABLE batch ADD COLUMN paused INTEGER NOT NULL DEFAULT 0;
    CREATE TABLE pause (host TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;

    """

  /// No table changes. Rows may lack their head, see `RowHead`, and records what the id says, see `JobRecord`: an older
  /// program would not understand them.
  private static let version3 = ""

  /// What jobs went through.
  ///
  /// - `job.worker` and `granted_at` stay when a job is over. They stand where they stood while it was leased, so they take
  ///   no more room.
  /// - `job_link` finds jobs by link or host. It has the block before the link, so that what is submitted together is
  ///   written to neighbouring pages; a search looks into each block.
  /// - A cause without bytes is a worker's death.
  private static let version4 = """
    ALTER TABLE job ADD COLUMN submitted_at INTEGER;
    ALTER TABLE job ADD COLUMN granted_at INTEGER;
    ALTER TABLE job ADD COLUMN ended_at INTEGER;
    ALTER TABLE job ADD COLUMN link INTEGER;
    CREATE INDEX job_link ON job (batch, block, link) WHERE link IS NOT NULL;
    ALTER TABLE cause ADD COLUMN worker BLOB;
    ALTER TABLE cause ADD COLUMN granted_at INTEGER;
    ALTER TABLE cause ADD COLUMN next_at INTEGER;
    CREATE INDEX batch_open ON batch (serial) WHERE \(hasOpenJobs);

    """

  /// Which kinds of jobs a batch has had, one bit each, so that a search for a rare kind passes over the others; NULL where
  /// that was not noted.
  private static let version5 = """
    ALTER TABLE batch ADD COLUMN kinds INTEGER;

    """

  /// Since when something is paused, for how many milliseconds, by whom, and why; NULL where it is not.
  private static let version6 = """
    ALTER TABLE batch DROP COLUMN paused;
    ALTER TABLE batch ADD COLUMN paused_at INTEGER;
    ALTER TABLE batch ADD COLUMN paused_for INTEGER;
    ALTER TABLE batch ADD COLUMN paused_by TEXT;
    ALTER TABLE batch ADD COLUMN paused_why TEXT;
    DROP TABLE pause;
    CREATE TABLE pause (
      host TEXT PRIMARY KEY,
      paused_at INTEGER NOT NULL,
      paused_for INTEGER,
      paused_by TEXT,
      paused_why TEXT
    ) STRICT, WITHOUT ROWID;

    """

  /// What `batch_open` holds.
  static let hasOpenJobs = "settled < submitted"

  /// What `job_open` holds. A statement that is to use the index says this word for word.
  static let isOpenElsewhere = "state < 5 AND state <> 2"
}
