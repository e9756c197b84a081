import Posix

// As much of swift-log, swift-metrics and swift-distributed-tracing as the adapters of the documentation use, with the
// signatures of their packages. What is done with them is kept for tests.

enum Seen {
  static let lines = Lock<[String]>([])
  static let counts = Lock<[String: Int]>([:])
  static let times = Lock<[String: Int]>([:])
  static let spans = Lock<[TestSpan]>([])
}

struct Logger: Sendable {
  enum Level: String, CaseIterable, Sendable {
    case trace
    case debug
    case info
    case notice
    case warning
    case error
    case critical
  }

  struct Message: ExpressibleByStringInterpolation, Sendable {
    let text: String

    init(stringLiteral text: String) { self.text = text }
  }

  enum MetadataValue: ExpressibleByStringInterpolation, Sendable {
    case string(String)

    init(stringLiteral text: String) { self = .string(text) }
  }

  typealias Metadata = [String: MetadataValue]

  let label: String

  func log(level: Level, _ message: @autoclosure () -> Message, metadata: @autoclosure () -> Metadata? = nil)
  {
    let fields = (metadata() ?? [:]).sorted { $0.key < $1.key }.map { name, value in
      if case .string(let text) = value { " \(name)=\(text)" } else { "" }
    }
    let line = "\(label) \(level) \(message().text)\(fields.joined())"
    Seen.lines.withLock { $0.append(line) }
  }
}

struct Counter {
  let label: String
  let dimensions: [(String, String)]

  func increment() {
    Seen.counts.withLock { $0["\(label) \(named(dimensions))", default: 0] += 1 }
  }
}

struct Timer {
  let label: String
  let dimensions: [(String, String)]

  func record(duration: Duration) {
    guard duration > .zero else { return }
    Seen.times.withLock { $0["\(label) \(named(dimensions))", default: 0] += 1 }
  }
}

private func named(_ dimensions: [(String, String)]) -> String {
  dimensions.map { "\($0.0)=\($0.1)" }.joined(separator: " ")
}

enum SpanAttribute: Equatable, Sendable {
  case int64(Int64)
  case string(String)
}

enum SpanKind: Sendable {
  case client
}

struct SpanStatus: Sendable {
  enum Code: Sendable {
    case ok
    case error
  }

  let code: Code
}

protocol Span: AnyObject, Sendable {
  var attributes: [String: SpanAttribute] { get set }
  func setStatus(_ status: SpanStatus)
  func recordError(_ error: any Error)
  func end()
}

/// A span is the child of the one around it, as the task has it.
final class TestSpan: Span {
  @TaskLocal static var current: TestSpan?

  private struct State: Sendable {
    var attributes: [String: SpanAttribute] = [:]
    var status: SpanStatus.Code?
    var ends = 0
  }

  let name: String
  let parent = TestSpan.current
  private let state = Lock(State())

  init(_ name: String) { self.name = name }

  var attributes: [String: SpanAttribute] {
    get { state.withLock { $0.attributes } }
    set { state.withLock { $0.attributes = newValue } }
  }
  var status: SpanStatus.Code? { state.withLock { $0.status } }
  var ends: Int { state.withLock { $0.ends } }

  func setStatus(_ status: SpanStatus) { state.withLock { $0.status = status.code } }
  func recordError(_ error: any Error) {}
  func end() { state.withLock { $0.ends += 1 } }
}

func startSpan(_ name: String, ofKind kind: SpanKind) -> any Span {
  let span = TestSpan(name)
  Seen.spans.withLock { $0.append(span) }
  return span
}
