import Pipeline
import Testing

@testable import TransportZeroMQ

struct RefusedPeersTests {
  @Test func `a peer is told at once, and then once a minute with how often it came`() {
    var peers = RefusedPeers()
    let peer = RefusedPeers.Peer(address: "10.0.0.7", key: "abcdefgh")
    #expect(peers.refused(peer, atMilliseconds: 0) == 1)
    for second in 1..<12 { #expect(peers.refused(peer, atMilliseconds: Int64(second) * 5_000) == nil) }
    #expect(peers.refused(peer, atMilliseconds: 60_000) == 12)
    #expect(peers.refused(.init(address: "10.0.0.8", key: nil), atMilliseconds: 60_000) == 1)
  }

  @Test func `the last ones are reported with their keys, the newest first`() {
    var peers = RefusedPeers()
    for second in 0..<3 {
      _ = peers.refused(.init(address: "a", key: "A"), atMilliseconds: Int64(second) * 1_000)
    }
    _ = peers.refused(.init(address: "b", key: nil), atMilliseconds: 2_500)
    #expect(
      peers.report(atMilliseconds: 4_000)
        == RefusalReport(
          total: 4,
          latest: [
            .init(key: nil, address: "b", times: 1, msAgo: 1_500),
            .init(key: "A", address: "a", times: 3, msAgo: 2_000),
          ]))
    for number in 0..<1_000 {
      _ = peers.refused(.init(address: "\(number)", key: "K"), atMilliseconds: 5_000)
    }
    let report = peers.report(atMilliseconds: 5_000)
    #expect(report.total == 1_004)
    #expect(report.latest.count == RefusedPeers.mostReported)
  }

  @Test func `ever new peers make one line a minute beyond the first few hundred`() {
    var peers = RefusedPeers()
    let told = (0..<10_000).compactMap { number in
      peers.refused(.init(address: "\(number)", key: nil), atMilliseconds: Int64(number))
    }
    #expect(told.count == RefusedPeers.most + 1)
    #expect(peers.refused(.init(address: "new", key: nil), atMilliseconds: 100_000) == 1)
  }
}
