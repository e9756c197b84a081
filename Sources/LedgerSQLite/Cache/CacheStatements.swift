import Pipeline
import SQLite

/// The table of stored answers, in a ledger's file or in one of its own.
struct CacheSQL {
  /// - `serial` grows with every answer, so the oldest come first.
  /// - `hash` is that of the question: it makes a small index. Of two questions with the same one the later stays.
  static let table = """
    CREATE TABLE answer (
      serial INTEGER PRIMARY KEY,
      hash INTEGER NOT NULL UNIQUE,
      question TEXT NOT NULL,
      stored_at INTEGER NOT NULL,
      failure TEXT,
      is_of_failure INTEGER NOT NULL,
      url TEXT,
      entity_tag TEXT,
      last_modified TEXT,
      json BLOB NOT NULL
    ) STRICT;
    """
  let find = SQL(
    """
    SELECT question, stored_at, failure, is_of_failure, url, entity_tag, last_modified, json
    FROM answer WHERE hash = ?1
    """)
  let insert = SQL(
    """
    INSERT OR REPLACE INTO answer
      (hash, question, stored_at, failure, is_of_failure, url, entity_tag, last_modified, json)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
    """)
  let trimOld = SQL(
    """
    DELETE FROM answer WHERE serial < coalesce(
      (SELECT serial FROM answer WHERE stored_at >= ?1 ORDER BY serial LIMIT 1),
      (SELECT max(serial) + 1 FROM answer))
    """)
  let trimMany = SQL(
    """
    DELETE FROM answer WHERE serial IN
      (SELECT serial FROM answer ORDER BY serial LIMIT max(0, (SELECT count(*) FROM answer) - ?1))
    """)
  let size = SQL("SELECT count(*), coalesce(sum(length(json)), 0) FROM answer")
}
