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
