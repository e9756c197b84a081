import PipelineTesting
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
  private let server: RawServer

  /// - Parameters:
  ///   - count: How many calls the list leads to.
  ///   - gates: How many gates there are.
  ///   - conduct: What happens to the call of a number; nil is the list.
  init(_ count: Int, gates: Int = 1, conduct: @escaping @Sendable (Int?) -> Conduct = { _ in .answer }) throws
  {
    let (requests, log) = (requests, Lock<[String]>([]))
    let signals = try (0..<gates).map { _ in try StopSignal() }
    (self.log, self.gates) = (log, signals)
    server = RawServer { peer in
      peer.answerEach { request in
        let number = Int(request.path.split(separator: "/").last ?? "")
        log.withLock { $0.append(request.path) }
        requests.add()
        let list = "[\((0..<count).map(String.init).joined(separator: ","))]"
        let body = number.map { "\($0 * 10)" } ?? list
        switch conduct(number) {
        case .answer: break
        case .fail:
          return peer.send("500 Internal Server Error", type: "application/json", body: "{}")
        case .hold(let gate): try? signals[gate].sleep(milliseconds: 120_000)
        }
        return peer.send(type: "application/json", body: body)
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
}
