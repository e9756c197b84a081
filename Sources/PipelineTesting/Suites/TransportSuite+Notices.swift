import Pipeline
import Testing

extension TransportSuite {
  private typealias Rule = PortRule<TransportBench>

  static let notices: [PortRule<TransportBench>] = [
    Rule("a role is told when a lane of its own comes up, and when its receiver goes") { bench in
      let (own, other) = (try await bench.bind("own"), try await bench.bind("other"))
      let outlet = try await bench.connect(to: "other", notifying: own)
      #expect(try await own.receive(atMost: 8, until: nil) == [.lane(up(other))])
      try await outlet.send(Numbered.envelopes([1]))
      #expect(Numbered.numbers(try await other.take(1)) == [1])
      await other.close()
      #expect(try await own.receive(atMost: 8, until: nil) == [.lane(down(other))])
    },
    Rule("a notice wakes a receiver that waits, and comes before the messages that wait") { bench in
      let (own, lane) = try await bench.lane()
      let waiting = Task { try await own.receive(atMost: 8, until: nil) }
      for _ in 0..<50 { await Task.yield() }
      await own.note(down(own))
      #expect(try await waiting.value == [.lane(down(own))])
      try await lane.send(Numbered.envelopes([1]))
      await own.note(up(own))
      var deliveries: [Delivery] = []
      while deliveries.count < 2 { deliveries += try await own.receive(atMost: 1, until: nil) }
      #expect(deliveries.first == .lane(up(own)))
      #expect(Numbered.numbers(deliveries) == [1])
    },
    Rule("nobody is told of a lane that nobody asked to be told of") { bench in
      let (inbox, outlet) = try await bench.lane()
      try await outlet.send(Numbered.envelopes([1]))
      #expect(try await inbox.receive(atMost: 8, until: nil).count == 1)
      #expect(try await inbox.receive(atMost: 8, until: bench.clock.now).isEmpty)
    },
  ]

  private static func up(_ inbox: any Inbox) -> LaneNotice { LaneNotice(address: inbox.address, isUp: true) }
  private static func down(_ inbox: any Inbox) -> LaneNotice {
    LaneNotice(address: inbox.address, isUp: false)
  }
}
