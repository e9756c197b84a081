import Pipeline

enum Schema {
  /// Stands in the file's header, so that no other program's database is ever taken for a ledger: 'HLYL'.
  static let applicationID: Int64 = 0x484C_594C

  static let version: Int64 = 1

  /// - `batch.serial` stands for the batch elsewhere; its id would take five times the room. `cancels` is not NULL while the
  ///   batch is cancelled, and 1 when what a worker is on is too. `kinds` has one bit for each kind of jobs that it has had,
  ///   so that a search for a rare kind passes over the others.
  /// - `job.state`: see `JobPhase`. A job is over from 5 on.
  /// - A job loses its deadline when it is over, and `run_at` when it is due: so the indexes on them hold open jobs only,
  ///   and no change of the state alone touches them. `worker` and `granted_at` stay when it is over: they take the room
  ///   that they had while it was leased.
  /// - `job_ready` holds ready jobs by batch, block and host, so that the jobs of one host do not stand before those of all
  ///   others, and yet what is submitted together stands on neighbouring pages. `job_open` does without them, as each
  ///   would be written twice.
  /// - `job_link` finds jobs by link or host. It has the block before the link, so that what is submitted together is
  ///   written to neighbouring pages; a search looks into each block.
  /// - A cause without bytes is a worker's death.
  /// - `pause` names hosts, and all of them as the empty one. `paused_for` is in milliseconds; `paused_at` of a batch is NULL
  ///   where it is not paused.
  /// - `wait` has the hosts that are left alone until a moment; `kind` is NULL where one is not given up.
  /// - `owner` has one row: who owns the ledger, the last lease token, and what tokens are sealed with. `renewed_at` is when the
  ///   ledger was last known to be in use; `gap` is when it was not, by a clock that may have jumped.
  /// - `result.place` is the batch's serial and the row's number in one key, so that rows are appended and read in
  ///   order. `job.place` is that of its row, once it is over: an index of rows by job would be one more write for each.
  ///   Large rows are why this table has a row id.
  static let tables = """
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
      submitted_at INTEGER NOT NULL,
      cancels INTEGER,
      cause TEXT,
      first_submitted_at INTEGER NOT NULL,
      name TEXT,
      weight INTEGER,
      at_most INTEGER,
      per_hour INTEGER,
      starts_at INTEGER,
      deadline INTEGER,
      paused_at INTEGER,
      paused_for INTEGER,
      paused_by TEXT,
      paused_why TEXT,
      kinds INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    CREATE INDEX batch_open ON batch (serial) WHERE \(hasOpenJobs);
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
      host TEXT NOT NULL,
      block INTEGER NOT NULL,
      submitted_at INTEGER NOT NULL,
      granted_at INTEGER,
      ended_at INTEGER,
      place INTEGER,
      link INTEGER
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX job_open ON job (state, id) WHERE \(isOpenElsewhere);
    CREATE INDEX job_ready ON job (state, batch, block, host, id) WHERE state = 2;
    CREATE INDEX job_due ON job (run_at, id) WHERE run_at IS NOT NULL;
    CREATE INDEX job_deadline ON job (deadline, id) WHERE deadline IS NOT NULL;
    CREATE INDEX job_dead ON job (id) WHERE state = 6;
    CREATE INDEX job_link ON job (batch, block, link) WHERE link IS NOT NULL;
    CREATE TABLE cause (
      job BLOB NOT NULL,
      attempt INTEGER NOT NULL,
      failed_at INTEGER NOT NULL,
      failure BLOB NOT NULL,
      worker BLOB,
      granted_at INTEGER,
      next_at INTEGER,
      PRIMARY KEY (job, attempt)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE result (
      place INTEGER PRIMARY KEY,
      job BLOB NOT NULL,
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
    CREATE INDEX worker_seen ON worker (seen_at);
    CREATE TABLE owner (
      epoch INTEGER NOT NULL,
      holder BLOB NOT NULL,
      renewed_at INTEGER,
      last_token INTEGER NOT NULL,
      lease_key BLOB NOT NULL
    ) STRICT;
    INSERT INTO owner VALUES (0, zeroblob(16), NULL, 0, randomblob(16));
    CREATE TABLE pause (
      host TEXT PRIMARY KEY,
      paused_at INTEGER NOT NULL,
      paused_for INTEGER,
      paused_by TEXT,
      paused_why TEXT
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE wait (
      host TEXT PRIMARY KEY,
      until INTEGER NOT NULL,
      kind TEXT,
      failures INTEGER,
      asked INTEGER
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX wait_until ON wait (until);
    CREATE TABLE gap (began_at INTEGER NOT NULL, ended_at INTEGER NOT NULL) STRICT;
    \(CacheSQL.table)
    """

  /// What `batch_open` holds.
  static let hasOpenJobs = "settled < submitted"

  /// What `job_open` holds. A statement that is to use the index says this word for word.
  static let isOpenElsewhere = "state < 5 AND state <> 2"
}
