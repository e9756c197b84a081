#pragma once
#include <errno.h>
#include <sqlite3.h>

// SQLITE_TRANSIENT is a cast that does not import: SQLite makes a copy of its own.
static inline int halyard_sqlite_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
  if (count == 0) return sqlite3_bind_zeroblob(statement, index, 0);
  return sqlite3_bind_blob64(statement, index, bytes, count, SQLITE_TRANSIENT);
}

static inline int halyard_sqlite_bind_text(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
  return sqlite3_bind_text64(statement, index, count ? bytes : "", count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

// The errno of the last failed write to the log; 0 when none failed.
static inline int halyard_sqlite_log_errno(sqlite3 *connection) {
  sqlite3_file *log = 0;
  int code = 0;
  if (sqlite3_file_control(connection, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log) != SQLITE_OK) return 0;
  if (log && log->pMethods) log->pMethods->xFileControl(log, SQLITE_FCNTL_LAST_ERRNO, &code);
  return code;
}

// How long the log is; 0 when there is none.
static inline sqlite3_int64 halyard_sqlite_log_bytes(sqlite3 *connection) {
  sqlite3_file *log = 0;
  sqlite3_int64 bytes = 0;
  if (sqlite3_file_control(connection, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log) != SQLITE_OK) return 0;
  if (!log || !log->pMethods || log->pMethods->xFileSize(log, &bytes) != SQLITE_OK) return 0;
  return bytes;
}

// Whether the log's pages go to their places when the connection is closed. The function takes any number of arguments.
static inline void halyard_sqlite_empty_log_on_close(sqlite3 *connection, int yes) {
  sqlite3_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, !yes, (int *)0);
}

// Counting every allocation takes a lock each time; and the counts are not used. Only before the library's first use.
static inline int halyard_sqlite_count_no_memory(void) {
  return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}
