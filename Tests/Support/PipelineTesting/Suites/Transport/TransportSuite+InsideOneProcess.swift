import Pipeline
import Testing

extension TransportSuite {
  private typealias Rule = PortRule<TransportFixture>

  /// What only a transport can keep that sees both ends of a lane: between processes a receiver may just be starting.
  package static let insideOneProcess: [PortRule<TransportFixture>] = [
    Rule("nobody can be reached where nobody is bound") { fixture in
      await #expect(throws: TransportError.unreachable(fixture.address("nobody"))) {
        try await fixture.connect(to: "nobody").send(Numbered.envelopes([1]))
      }
    },
    Rule("an offer is taken while there is room, and refused when the inbox is full or closed") { fixture in
      let (inbox, outlet) = try await fixture.lane()
      for number in 0..<UInt64(fixture.roomOfALane) { #expect(outlet.offer(Numbered.envelopes([number]))) }
      #expect(!outlet.offer(Numbered.envelopes([99])))
      _ = try await inbox.take(1)
      #expect(outlet.offer(Numbered.envelopes([100])))
      await inbox.close()
      #expect(!outlet.offer(Numbered.envelopes([101])))
    },
    Rule("closing an inbox wakes a sender that waits for room") { fixture in
      let (inbox, outlet) = try await fixture.lane()
      let sender = BusySender(outlet, sends: fixture.roomOfALane + 1)
      _ = await sender.stuckAt()
      await inbox.close()
      await #expect(throws: TransportError.closed(inbox.address)) { try await sender.finish() }
      await #expect(throws: TransportError.closed(inbox.address)) {
        try await outlet.send(Numbered.envelopes([1]))
      }
    },
  ]
}
