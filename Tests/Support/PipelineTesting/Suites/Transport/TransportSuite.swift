import Pipeline
import Testing

/// What every transport keeps.
package enum TransportSuite {
  package static let rules: [PortRule<TransportFixture>] = sending + waiting + stopping + binding + notices
}

extension TransportSuite {
  private typealias Rule = PortRule<TransportFixture>

  private static let sending: [PortRule<TransportFixture>] = [
    Rule("messages arrive in the order they were sent, whatever the bursts") { fixture in
      let (inbox, outlet) = try await fixture.lane()
      let count: UInt64 = 5_000
      async let sent: Void = {
        var next: UInt64 = 0
        while next < count {
          let burst = min(count - next, 1 + next % 97)
          try await outlet.send(Numbered.envelopes(next..<next + burst))
          next += burst
        }
      }()
      var received: [UInt64] = []
      while received.count < count {
        received += Numbered.numbers(try await inbox.receive(atMost: 1 + received.count % 31, until: nil))
      }
      try await sent
      #expect(received == Array(0..<count))
    },
    Rule("a burst is no larger than asked for, and nothing of the rest is lost") { fixture in
      let (inbox, outlet) = try await fixture.lane()
      async let sent: Void = outlet.send(Numbered.envelopes(0..<10))
      var received: [UInt64] = []
      while received.count < 10 {
        let burst = try await inbox.receive(atMost: 3, until: nil)
        #expect((1...3).contains(burst.count))
        received += Numbered.numbers(burst)
      }
      try await sent
      #expect(received == Array(0..<10))
    },
    Rule("an envelope arrives as it was sent") { fixture in
      let (inbox, outlet) = try await fixture.lane()
      let batch = BatchID(UUIDv7(high: 0x7000, low: 1 << 63))
      let job = Job(batch: batch, ordinal: 1, kind: .title, input: "http://bücher.test/")
      let envelopes = [
        Envelope(.job(JobOrder(job: job, lease: Lease(token: LeaseToken(1), attempt: 2))), laneSequence: 9),
        Envelope(.submit(Submit(batch: batch, sequence: 1, replyTo: inbox.address, jobs: [job], total: 1))),
        Envelope(.drain),
      ]
      async let sent: Void = outlet.send(envelopes)
      #expect(try await inbox.take(3) == envelopes)
      try await sent
    },
    Rule("a message that is too large is refused, and the rest of its burst arrives") { fixture in
      let (inbox, outlet) = try await fixture.lane()
      let large = [UInt8](repeating: 0x20, count: EnvelopeCodec.largestFrame)
      let burst = Numbered.envelopes([1]) + [Envelope(Numbered.large(large))] + Numbered.envelopes([2])
      #expect(!outlet.offer(burst))
      async let taken = inbox.take(2)
      let refusal = await #expect(throws: TransportError.self) { try await outlet.send(burst) }
      guard case .tooLarge(let bytes, let limit) = refusal else {
        Issue.record("not refused: \(String(describing: refusal))")
        return
      }
      #expect(bytes > limit)
      #expect(Numbered.numbers(try await taken) == [1, 2])
    },
    Rule("inboxes do not mix") { fixture in
      let (first, second) = (try await fixture.bind("first"), try await fixture.bind("second"))
      try await fixture.connect(to: "second").send(Numbered.envelopes([2]))
      try await fixture.connect(to: "first").send(Numbered.envelopes([1]))
      #expect(Numbered.numbers(try await first.take(1)) == [1])
      #expect(Numbered.numbers(try await second.take(1)) == [2])
    },
    Rule("an empty burst is sent at once and wakes nobody") { fixture in
      let (inbox, outlet) = try await fixture.lane()
      try await outlet.send([])
      #expect(try await inbox.receive(atMost: 1, until: fixture.clock.now).isEmpty)
    },
    Rule("of 100,000 messages of many senders none is lost or doubled, and each sender's keep their order") {
      fixture in
      let inbox = try await fixture.bind()
      let (senders, each) = (20 as UInt64, 5_000 as UInt64)
      try await withThrowingTaskGroup { group in
        for sender in 0..<senders {
          group.addTask { try await send(each, from: sender, to: fixture) }
        }
        var next = [UInt64](repeating: 0, count: Int(senders))
        var strays = 0
        for envelope in try await inbox.take(Int(senders * each), atMost: 256) {
          let sender = Int(Numbered.sender(envelope) ?? 0)
          if next[sender] == envelope.laneSequence { next[sender] += 1 } else { strays += 1 }
        }
        try await group.waitForAll()
        #expect(strays == 0)
        #expect(next == Array(repeating: each, count: Int(senders)))
        #expect(try await inbox.receive(atMost: 1, until: fixture.clock.now).isEmpty)
      }
    },
  ]

  private static func send(_ count: UInt64, from sender: UInt64, to fixture: TransportFixture) async throws {
    let outlet = try await fixture.connect()
    var next: UInt64 = 0
    while next < count {
      let burst = min(count - next, 1 + (next + sender) % 50)
      try await outlet.send(Numbered.envelopes(next..<next + burst, from: sender))
      next += burst
    }
  }
}
