import Pipeline
import Testing

extension TransportSuite {
  private typealias Rule = PortRule<TransportFixture>

  /// What a transport keeps whose senders wait while their receiver is full.
  package static let holdingBack: [PortRule<TransportFixture>] = [
    Rule("a sender waits while its receiver is full, and goes on when there is room") { fixture in
      let (inbox, outlet) = try await fixture.lane()
      let count = fixture.roomOfALane + 200
      let sender = BusySender(outlet, sends: count)
      #expect(await sender.stuckAt() <= fixture.roomOfALane)
      #expect(Numbered.numbers(try await inbox.take(count)) == Array(0..<UInt64(count)))
      try await sender.finish()
    },
    Rule("a full receiver holds up its own senders only") { fixture in
      let (_, crowded) = try await fixture.lane()
      let sender = BusySender(crowded, sends: fixture.roomOfALane + 1)
      _ = await sender.stuckAt()
      let free = try await fixture.bind("free")
      try await fixture.connect(to: "free").send(Numbered.envelopes([1]))
      #expect(Numbered.numbers(try await free.take(1)) == [1])
      sender.cancel()
      await #expect(throws: CancellationError.self) { try await sender.finish() }
    },
    Rule("a sender that is cancelled while it waits for room stops waiting") { fixture in
      let (inbox, outlet) = try await fixture.lane()
      let sender = BusySender(outlet, sends: fixture.roomOfALane + 100)
      let taken = await sender.stuckAt()
      sender.cancel()
      await #expect(throws: CancellationError.self) { try await sender.finish() }
      #expect(Numbered.numbers(try await inbox.take(taken)) == Array(0..<UInt64(taken)))
    },
    Rule("a sender that is cancelled does not take the room of those who still wait") { fixture in
      let (inbox, outlet) = try await fixture.lane()
      let filler = BusySender(outlet, sends: fixture.roomOfALane + 1)
      _ = await filler.stuckAt()
      let other = try await fixture.connect()
      let patient = Task { try await other.send(Numbered.envelopes([77], from: 1)) }
      for _ in 0..<200 { await Task.yield() }
      filler.cancel()
      await #expect(throws: CancellationError.self) { try await filler.finish() }
      let received = try await inbox.take(filler.count + 1)
      try await patient.value
      #expect(received.count { Numbered.sender($0) == 1 } == 1)
    },
  ]
}
