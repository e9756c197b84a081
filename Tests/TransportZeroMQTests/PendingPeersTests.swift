import Testing

@testable import TransportZeroMQ

struct PendingPeersTests {
  private var peers = PendingPeers<Int>(longestMilliseconds: 6_000)
  private let one: [UInt64] = [1]
  private let other: [UInt64] = [2]

  @Test func `the oldest connection of an address with too many is cut`() {
    var peers = peers
    for peer in 0..<64 { #expect(peers.accepted(peer, from: one, atMilliseconds: 0) { _ in false } == nil) }
    #expect(peers.accepted(100, from: other, atMilliseconds: 0) { _ in false } == nil)
    #expect(peers.accepted(64, from: one, atMilliseconds: 0) { _ in false } == 0)
    #expect(peers.accepted(65, from: one, atMilliseconds: 0) { _ in false } == 1)
  }

  @Test func `members, those that are gone and those that stayed do not count`() {
    var peers = peers
    for peer in 0..<64 { _ = peers.accepted(peer, from: one, atMilliseconds: 0) { _ in false } }
    #expect(peers.accepted(64, from: one, atMilliseconds: 0) { $0 == 0 } == nil)
    peers.gone { $0 == 1 }
    #expect(peers.accepted(65, from: one, atMilliseconds: 6_000) { _ in false } == nil)
    #expect(peers.accepted(66, from: one, atMilliseconds: 6_000) { _ in false } == 2)
    for peer in 70..<130 {
      #expect(peers.accepted(peer, from: one, atMilliseconds: 6_001) { _ in false } == nil)
    }
  }

  @Test func `many addresses have a limit in common`() {
    var peers = peers
    for peer in 0..<1_024 {
      #expect(peers.accepted(peer, from: [UInt64(peer)], atMilliseconds: 0) { _ in false } == nil)
    }
    #expect(peers.accepted(1_024, from: one, atMilliseconds: 0) { _ in false } == 0)
  }
}
