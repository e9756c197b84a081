import Pipeline
import Testing

extension TransportSuite {
  private typealias Rule = PortRule<TransportBench>

  /// What only a transport can keep that sees both ends of a lane: between processes a receiver may just be starting.
  public static let insideOneProcess: [PortRule<TransportBench>] = [
    Rule("nobody can be reached where nobody is bound") { bench in
      await #expect(throws: TransportError.unreachable(bench.address("nobody"))) {
        try await bench.connect(to: "nobody").send(Numbered.envelopes([1]))
      }
    },
    Rule("an offer is taken while there is room, and refused when the inbox is full or closed") { bench in
      let (inbox, outlet) = try await bench.lane()
      for number in 0..<UInt64(bench.roomOfALane) { #expect(outlet.offer(Numbered.envelopes([number]))) }
      #expect(!outlet.offer(Numbered.envelopes([99])))
      _ = try await inbox.take(1)
      #expect(outlet.offer(Numbered.envelopes([100])))
      await inbox.close()
      #expect(!outlet.offer(Numbered.envelopes([101])))
    },
    Rule("closing an inbox wakes a sender that waits for room") { bench in
      let (inbox, outlet) = try await bench.lane()
      let sender = BusySender(outlet, sends: bench.roomOfALane + 1)
      _ = await sender.stuckAt()
      await inbox.close()
      await #expect(throws: TransportError.closed(inbox.address)) { try await sender.finish() }
      await #expect(throws: TransportError.closed(inbox.address)) {
        try await outlet.send(Numbered.envelopes([1]))
      }
    },
  ]
}
