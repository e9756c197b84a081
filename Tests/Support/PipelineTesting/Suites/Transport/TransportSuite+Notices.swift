import Pipeline
import Testing

extension TransportSuite {
  private typealias Rule = PortRule<TransportFixture>

  static let notices: [PortRule<TransportFixture>] = [
    Rule("a role is told when a lane of its own comes up, and when its receiver goes") { fixture in
      let (own, other) = (try await fixture.bind("own"), try await fixture.bind("other"))
      let outlet = try await fixture.connect(to: "other", notifying: own)
      #expect(try await own.receive(atMost: 8, until: nil) == [.lane(up(other))])
      try await outlet.send(Numbered.envelopes([1]))
      #expect(Numbered.numbers(try await other.take(1)) == [1])
      await other.close()
      #expect(try await own.receive(atMost: 8, until: nil) == [.lane(down(other))])
    },
    Rule(
      "a notice wakes a receiver that waits, and a lane that is up is told of before the messages that wait"
    ) { fixture in
      let (own, lane) = try await fixture.lane()
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
    Rule("that a lane went down is told after the messages that are there") { fixture in
      let (own, lane) = try await fixture.lane()
      var (next, mixed) = (0 as UInt64, 0)
      for _ in 0..<100 {
        let burst = Numbered.envelopes(next..<next + 10)
        async let sent: Void = lane.send(burst)
        next += 10
        var deliveries = try await own.receive(atMost: 1, until: nil)
        await own.note(down(own))
        while deliveries.count < 11 {
          let burst = try await own.receive(atMost: 32, until: nil)
          deliveries += burst
          guard let told = burst.firstIndex(of: .lane(down(own))) else { continue }
          #expect(told == burst.count - 1)
          mixed += told > 0 ? 1 : 0
        }
        try await sent
        #expect(Numbered.numbers(deliveries) == Array(next - 10..<next))
      }
      #expect(mixed > 0 || fixture.roomOfALane < 10)
    },
    Rule("no flood of messages keeps a notice from being told") { fixture in
      let (own, lane) = try await fixture.lane()
      async let sent: Void = lane.send(Numbered.envelopes(0..<100))
      var deliveries = try await own.receive(atMost: 1, until: nil)
      await own.note(down(own))
      deliveries += try await own.receive(atMost: 8, until: nil)
      #expect(deliveries.contains(.lane(down(own))))
      while deliveries.count < 101 { deliveries += try await own.receive(atMost: 8, until: nil) }
      try await sent
    },
    Rule("nobody is told of a lane that nobody asked to be told of") { fixture in
      let (inbox, outlet) = try await fixture.lane()
      try await outlet.send(Numbered.envelopes([1]))
      #expect(try await inbox.receive(atMost: 8, until: nil).count == 1)
      #expect(try await inbox.receive(atMost: 8, until: fixture.clock.now).isEmpty)
    },
  ]

  private static func up(_ inbox: any Inbox) -> LaneNotice { LaneNotice(address: inbox.address, isUp: true) }
  private static func down(_ inbox: any Inbox) -> LaneNotice {
    LaneNotice(address: inbox.address, isUp: false)
  }
}
