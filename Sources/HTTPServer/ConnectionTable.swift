import HTTPMessages

/// The connections of a server, and how many each address has.
struct ConnectionTable {
  private(set) var byID: [UInt64: Connection] = [:]
  private var ofNetwork: [[UInt64]: Int] = [:]

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

  /// The connection that gives way to a new one; of several that are equally slow, the one that has been so for longest.
  func slowest(at now: Milliseconds) -> Connection? {
    var slowest: (slowness: Double, connection: Connection)?
    for connection in byID.values {
      guard let slowness = connection.rule.slowness(at: now) else { continue }
      if let known = slowest {
        let isOlder =
          (connection.rule.since, connection.id) < (known.connection.rule.since, known.connection.id)
        guard slowness > known.slowness || slowness == known.slowness && isOlder else { continue }
      }
      slowest = (slowness, connection)
    }
    return slowest?.connection
  }
}
