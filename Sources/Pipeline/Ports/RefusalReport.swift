/// Clients that a transport did not let in, because their keys are not among the allowed ones.
public struct RefusalReport: Encodable, Hashable, Sendable {
  public struct Peer: Encodable, Hashable, Sendable {
    /// Its public key; nil when it has none.
    public var key: String?
    public var address: String
    public var times: UInt64
    public var millisecondsAgo: Int64

    private enum CodingKeys: String, CodingKey {
      case key, address, times
      case millisecondsAgo = "ms_ago"
    }

    public init(key: String?, address: String, times: UInt64, millisecondsAgo: Int64) {
      (self.key, self.address, self.times, self.millisecondsAgo) = (key, address, times, millisecondsAgo)
    }
  }

  /// Refused attempts since the process started.
  public var total: UInt64
  /// The last ones, the newest first.
  public var peers: [Peer]

  private enum CodingKeys: String, CodingKey {
    case total
    case peers = "latest"
  }

  public init(total: UInt64 = 0, peers: [Peer] = []) {
    (self.total, self.peers) = (total, peers)
  }
}
