import Pipeline

/// Messages that are for another role. A peer can send any number of them.
struct StrayMessages: Sendable {
  private var count: UInt64 = 0

  /// Tells of the first one, and whenever there are twice as many.
  mutating func came(
    _ message: Message, _ line: StaticString, at level: LogLevel = .warning, to log: any Log
  ) {
    count += 1
    guard count.nonzeroBitCount == 1 else { return }
    log.record(level, line, message.logFields + [LogField("times", count)])
  }
}
