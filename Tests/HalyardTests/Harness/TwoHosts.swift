import PipelineTesting
import Posix

/// A server that links reach as `127.0.0.1` and as `localhost`.
///
/// `/held/…` answers when released, `/to/HOST/…` leads to HOST with the rest of the path, everything else is a page.
final class TwoHosts: Sendable {
  enum Host: String, CaseIterable {
    case address = "127.0.0.1"
    case name = "localhost"
  }

  /// Lets the program talk to both.
  static let allowed = ["--allow-address", "127.0.0.1", "--allow-address", "::1"]

  private struct State {
    var said: [String] = []
    var running: [String: Int] = [:]
    var most: [String: Int] = [:]
  }

  /// Counts requests as they arrive.
  let requests = Tally()
  private let state: Lock<State>
  private let gate: StopSignal
  private let server: RawServer

  init() throws {
    let (requests, state, gate) = (requests, Lock(State()), try StopSignal())
    (self.state, self.gate) = (state, gate)
    server = RawServer { peer in
      peer.answerEach { request in
        let place = request["host"] ?? ""
        let host = String(place.prefix { $0 != ":" })
        let told = ["user-agent", "x-key", "x-own"].map { request[$0] ?? "-" }
        state.withLock { state in
          state.said.append(([host, request.path] + told).joined(separator: " "))
          state.running[host, default: 0] += 1
          state.most[host] = max(state.most[host, default: 0], state.running[host, default: 0])
        }
        requests.add()
        let parts = request.path.split(separator: "/")
        if parts.first == "held" { try? gate.sleep(milliseconds: 120_000) }
        state.withLock { $0.running[host, default: 0] -= 1 }
        guard parts.first == "to", parts.count > 1 else {
          return peer.send(body: "<!doctype html><title>x</title>")
        }
        let path = parts.dropFirst(2).map { "/\($0)" }.joined()
        return peer.redirect(to: "http://\(parts[1]):\(place.drop { $0 != ":" }.dropFirst())\(path)")
      }
    }
  }

  deinit {
    gate.raise()
    server.stop()
  }

  /// Host, path, user agent, X-Key and X-Own of each request so far.
  var said: [String] { state.withLock { $0.said } }

  /// The most requests that were under way at once.
  func most(at host: Host) -> Int { state.withLock { $0.most[host.rawValue] ?? 0 } }

  func url(_ host: Host, _ path: String) -> String { "http://\(host.rawValue):\(server.port)\(path)" }

  /// Lets every held request have its answer.
  func release() { gate.raise() }
}
