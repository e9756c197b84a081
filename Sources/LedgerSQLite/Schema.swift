import SQLite

/// The tables, and how an older file gets them.
enum Schema {
  /// Stands in the file's header, so that no other program's database is ever taken for a ledger: 'HLYD'.
  static let applicationID: Int64 = 0x484C_5944

  /// Each brings the file from the version of its index to the next; what was released is never edited.
  static let migrations = [version1]
  static var version: Int64 { Int64(migrations.count) }

  /// - `batch.serial` stands for the batch elsewhere; its id would take five times the room.
  /// - `job.state`: see `StoredState`. A row is over from 5 on, and `job_open` holds the others only.
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
}
