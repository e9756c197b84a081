import DemoSite
import Posix

/// An API on loopback for a recipe that fans out: `/list` is the array of the numbers from 0, `/call/N` ten times N.
final class CallSite: Sendable {
  /// How a call is answered.
  enum Conduct: Sendable {
    case answer
    case fail
    /// When the gate of this number is opened.
    case hold(Int)
  }

  /// Counts requests as they arrive.
  let requests = Tally()
  private let log: Lock<[String]>
  private let gates: [StopSignal]
  private let server: LoopbackServer

  /// - Parameters:
  ///   - count: How many calls the list leads to.
  ///   - gates: How many gates there are.
  ///   - conduct: What happens to the call of a number; nil is the list.
  init(_ count: Int, gates: Int = 1, conduct: @escaping @Sendable (Int?) -> Conduct = { _ in .answer }) throws
  {
    let (requests, log) = (requests, Lock<[String]>([]))
    let signals = try (0..<gates).map { _ in try StopSignal() }
    (self.log, self.gates) = (log, signals)
    server = try LoopbackServer.start { exchange throws(PosixError) in
      let path = exchange.request.path
      let number = Int(path.split(separator: "/").last ?? "")
      log.withLock { $0.append(path) }
      requests.add()
      let list = "[\((0..<count).map(String.init).joined(separator: ","))]"
      let body = number.map { "\($0 * 10)" } ?? list
      switch conduct(number) {
      case .answer: return try Self.answer(exchange, "200 OK", body)
      case .fail: return try Self.answer(exchange, "500 Internal Server Error", "{}")
      case .hold(let gate):
        try? signals[gate].sleep(milliseconds: 120_000)
        return try Self.answer(exchange, "200 OK", body)
      }
    }
  }

  deinit {
    for gate in gates { gate.raise() }
    server.stop()
  }

  /// What was asked for so far, in order.
  var asked: [String] { log.withLock { $0 } }

  func open(_ gate: Int = 0) { gates[gate].raise() }

  /// A recipe for it, as a file's text.
  static func recipe(_ policy: String = "all") -> String {
    """
    {
      "parameters": {"base": {"type": "url"}, "most": {"type": "integer", "default": 0}},
      "steps": {
        "list": {"call": "{+base}/list"},
        "calls": {"each": "$list", "call": "{+base}/call/{input}", "policy": "\(policy)"}
      },
      "output": "$calls"
    }
    """
  }

  var parameter: [String] { ["--param", "base=http://127.0.0.1:\(server.port)"] }

  /// What a run gathers of so many calls.
  static func gathered(_ numbers: some Sequence<Int>) -> String {
    "[\(numbers.map { "\($0 * 10)" }.joined(separator: ","))]"
  }

  private static func answer(
    _ exchange: Exchange, _ status: String, _ body: String
  ) throws(PosixError) -> AfterAnswer {
    let head =
      "HTTP/1.1 \(status)\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
    try exchange.write(Array((head + body).utf8))
    return .keepAlive
  }
}
