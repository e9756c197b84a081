import Pipeline
import Testing

extension TransportSuite {
  private typealias Rule = PortRule<TransportFixture>

  static let waiting: [PortRule<TransportFixture>] = [
    Rule("a receiver wakes when a message comes") { fixture in
      let (inbox, outlet) = try await fixture.lane()
      async let received = inbox.receive(atMost: 8, until: nil)
      try await outlet.send(Numbered.envelopes([7]))
      let numbers = Numbered.numbers(try await received)
      #expect(numbers == [7])
    },
    Rule("a burst larger than all the room there is arrives whole") { fixture in
      let (inbox, outlet) = try await fixture.lane()
      let count = UInt64(fixture.roomOfALane * 3 + 1)
      async let sent: Void = outlet.send(Numbered.envelopes(0..<count))
      #expect(Numbered.numbers(try await inbox.take(Int(count))) == Array(0..<count))
      try await sent
    },
    Rule("an offer that is taken arrives before what is sent after it, and one that is refused not at all") {
      fixture in
      let (inbox, outlet) = try await fixture.lane()
      let isTooLongTaken = outlet.offer(Numbered.envelopes(10..<(11 + UInt64(fixture.roomOfALane))))
      #expect(!isTooLongTaken)
      let isTaken = outlet.offer(Numbered.envelopes([0]))
      async let sent: Void = outlet.send(Numbered.envelopes([1]))
      let expected: [UInt64] = isTaken ? [0, 1] : [1]
      #expect(Numbered.numbers(try await inbox.take(expected.count)) == expected)
      try await sent
    },
    Rule("a receiver that waits until a moment comes back empty when it has come") { fixture in
      let inbox = try await fixture.bind()
      let moment = fixture.moment(inMilliseconds: 1_000)
      async let received = inbox.receive(atMost: 8, until: moment)
      fixture.clock.advance(byMilliseconds: 1_000)
      let isEmpty = try await received.isEmpty
      #expect(isEmpty)
    },
    Rule("a moment that has passed is no wait, and does not hide what is there") { fixture in
      let (inbox, outlet) = try await fixture.lane()
      let past = fixture.moment(inMilliseconds: -1)
      #expect(try await inbox.receive(atMost: 8, until: past).isEmpty)
      try await outlet.send(Numbered.envelopes([1]))
      var received: [UInt64] = []
      while received.isEmpty {
        received = Numbered.numbers(try await inbox.receive(atMost: 8, until: past))
      }
      #expect(received == [1])
    },
    Rule("waits may follow each other with moments in any order") { fixture in
      let (inbox, outlet) = try await fixture.lane()
      for (number, milliseconds) in ([1_000, 500, 2_000, 1, 700] as [Int64]).enumerated() {
        let moment = fixture.moment(inMilliseconds: milliseconds)
        async let waited = inbox.receive(atMost: 8, until: moment)
        try await outlet.send(Numbered.envelopes([UInt64(number)]))
        let numbers = Numbered.numbers(try await waited)
        #expect(numbers == [UInt64(number)])
        async let empty = inbox.receive(atMost: 8, until: moment)
        fixture.clock.advance(byMilliseconds: milliseconds)
        let isEmpty = try await empty.isEmpty
        #expect(isEmpty)
      }
    },
  ]
}
