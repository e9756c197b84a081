import Pipeline
import Posix

/// Sees to it that connections of strangers, which cost a descriptor each, are few at a time.
struct NewConnections {
  /// The protocol's greeting, and with keys its WELCOME and the ERROR for a key that is not allowed. What is said to members
  /// is longer.
  private let bytesForStrangers: UInt64
  /// The library's timer may be late.
  private static let longestMilliseconds = Int64(LaneConstants.handshake) + 1_000

  private var peers = PendingPeers<PeerConnection>(longestMilliseconds: Self.longestMilliseconds)
  private var cut = 0
  /// One was refused before it showed a key, and is not told as gone yet.
  private var hasRefused = false

  init(withKeys: Bool) {
    bytesForStrangers = 64 + (withKeys ? 170 + 12 : 0)
  }

  mutating func accepted(_ descriptor: Int32, at inbox: Address, _ log: any Log) {
    guard let peer = PeerConnection(descriptor: descriptor) else { return }
    let excess = peers.accepted(
      peer, from: peer.network, atMilliseconds: SystemTime.monotonicMicroseconds / 1_000
    ) { $0.acknowledgedBytes > bytesForStrangers }
    guard let excess else { return }
    excess.cut()
    cut += 1
    // At the first one, and whenever there are twice as many.
    guard cut.nonzeroBitCount == 1 else { return }
    log.record(
      .warning, "connections that did not say who they are were closed",
      [LogField("inbox", inbox), LogField("address", excess.host), LogField("closed", cut)])
  }

  /// The library tells of a connection first that it is refused, and then that it is gone.
  mutating func refused() { hasRefused = true }

  /// The descriptor may be another connection's by now.
  ///
  /// - Returns: Where it came from, when it was refused.
  mutating func gone(_ descriptor: Int32) -> String? {
    let gone = peers.gone { $0.descriptor == descriptor && !$0.isThere }
    return exchange(&hasRefused, with: false) ? gone.first?.host ?? "unknown" : nil
  }
}
