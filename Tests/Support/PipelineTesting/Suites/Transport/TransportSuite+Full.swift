import Pipeline
import Testing

extension TransportSuite {
  private typealias Rule = PortRule<TransportBench>

  /// What a transport keeps whose senders wait while their receiver is full.
  public static let holdingBack: [PortRule<TransportBench>] = [
    Rule("a sender waits while its receiver is full, and goes on when there is room") { bench in
      let (inbox, outlet) = try await bench.lane()
      let count = bench.roomOfALane + 200
      let sender = BusySender(outlet, sends: count)
      #expect(await sender.stuckAt() <= bench.roomOfALane)
      #expect(Numbered.numbers(try await inbox.take(count)) == Array(0..<UInt64(count)))
      try await sender.finish()
    },
    Rule("a full receiver holds up its own senders only") { bench in
      let (_, crowded) = try await bench.lane()
      let sender = BusySender(crowded, sends: bench.roomOfALane + 1)
      _ = await sender.stuckAt()
      let free = try await bench.bind("free")
      try await bench.connect(to: "free").send(Numbered.envelopes([1]))
      #expect(Numbered.numbers(try await free.take(1)) == [1])
      sender.cancel()
      await #expect(throws: CancellationError.self) { try await sender.finish() }
    },
    Rule("a sender that is cancelled while it waits for room stops waiting") { bench in
      let (inbox, outlet) = try await bench.lane()
      let sender = BusySender(outlet, sends: bench.roomOfALane + 100)
      let taken = await sender.stuckAt()
      sender.cancel()
      await #expect(throws: CancellationError.self) { try await sender.finish() }
      #expect(Numbered.numbers(try await inbox.take(taken)) == Array(0..<UInt64(taken)))
    },
    Rule("a sender that is cancelled does not take the room of those who still wait") { bench in
      let (inbox, outlet) = try await bench.lane()
      let filler = BusySender(outlet, sends: bench.roomOfALane + 1)
      _ = await filler.stuckAt()
      let other = try await bench.connect()
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
