/// The port to the log. Messages are constants; what varies is metadata. Never a body, a cookie, a credential.
public protocol Log: Sendable {
  func record(_ level: LogLevel, _ message: StaticString, _ metadata: [LogField])
}

public enum LogLevel: String, CaseIterable, Comparable, Sendable {
  case debug
  case info
  case warning
  case error

  public static func < (left: LogLevel, right: LogLevel) -> Bool {
    left.weight < right.weight
  }

  private var weight: Int {
    switch self {
    case .debug: 0
    case .info: 1
    case .warning: 2
    case .error: 3
    }
  }
}

/// Drops everything.
public struct NoLog: Log {
  public init() {}
  public func record(_ level: LogLevel, _ message: StaticString, _ metadata: [LogField]) {}
}

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
