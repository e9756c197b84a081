/// A name and a value beside a log message.
public struct LogField: Hashable, Sendable {
  public var name: String
  public var value: String

  public init(_ name: String, _ value: some CustomStringConvertible) {
    self.name = name
    self.value = value.description
  }
}

/// What a log line is about has the same name in every line, so that one search finds all lines about it.
extension LogField {
  public static func job(_ id: JobID) -> LogField { LogField("job", id) }
  public static func batch(_ id: BatchID) -> LogField { LogField("batch", id) }
  public static func worker(_ id: WorkerID) -> LogField { LogField("worker", id) }
  public static func lease(_ token: LeaseToken) -> LogField { LogField("lease", token.value) }
}
