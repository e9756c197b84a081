import HTTPMessages

/// The connections of a server, and how many each address has.
struct ConnectionTable {
  private var byID: [UInt64: Connection] = [:]
  private var ofNetwork: [[UInt64]: Int] = [:]

  var isEmpty: Bool { byID.isEmpty }
  var count: Int { byID.count }
  var all: [Connection] { Array(byID.values) }

  subscript(id: UInt64) -> Connection? { byID[id] }

  func count(of client: Client) -> Int { ofNetwork[client.network] ?? 0 }

  mutating func add(_ connection: Connection) {
    byID[connection.id] = connection
    ofNetwork[connection.client.network, default: 0] += 1
  }

  mutating func remove(_ connection: Connection) {
    guard byID.removeValue(forKey: connection.id) != nil else { return }
    let left = count(of: connection.client) - 1
    ofNetwork[connection.client.network] = left > 0 ? left : nil
  }

  /// The connection that gives way to a new one: the longest idle, or else the one that is longest in its head.
  var leastMissed: Connection? {
    oldest(in: .idle) ?? oldest(in: .head)
  }

  private func oldest(in phase: ConnectionRule.Phase) -> Connection? {
    byID.values.lazy.filter { $0.rule.phase == phase }.min { ($0.rule.since, $0.id) < ($1.rule.since, $1.id) }
  }
}
