import Pipeline
import Posix

/// How many requests each host has at once, and when they came. A process takes its own with it when it dies.
final class SimulatedLoad: Sendable {
  private struct State {
    var running: [String: [String: Int]] = [:]
    var most: [String: Int] = [:]
    var starts: [String: [Moment]] = [:]
  }

  private let state = Lock(State())

  var most: [String: Int] { state.withLock { $0.most } }
  var starts: [String: [Moment]] { state.withLock { $0.starts } }

  func began(_ url: String, by process: SimulatedProcess) {
    let host = Self.host(of: url)
    let isFirst = state.withLock { state in
      let isFirst = state.running[process.name] == nil
      state.running[process.name, default: [:]][host, default: 0] += 1
      let now = state.running.values.reduce(0) { $0 + ($1[host] ?? 0) }
      state.most[host] = max(state.most[host] ?? 0, now)
      state.starts[host, default: []].append(process.loop.now)
      return isFirst
    }
    if isFirst { process.atDeath { self.died(process) } }
  }

  func ended(_ url: String, by process: SimulatedProcess) {
    state.withLock { $0.running[process.name]?[Self.host(of: url)]? -= 1 }
  }

  private func died(_ process: SimulatedProcess) {
    state.withLock { $0.running[process.name] = [:] }
  }

  private static func host(of url: String) -> String {
    url.split(separator: "/").dropFirst().first.map(String.init) ?? ""
  }
}
