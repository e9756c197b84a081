import Glibc

/// Sets and dictionaries whose order is the same in every process, which the runtime only gives at its start.
enum RepeatableHashing {
  /// Processes that are started from here on have it.
  static func letChildrenHaveIt() {
    unsafe setenv("SWIFT_DETERMINISTIC_HASHING", "1", 1)
  }
}
