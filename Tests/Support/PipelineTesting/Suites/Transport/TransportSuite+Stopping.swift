import Pipeline
import Testing

extension TransportSuite {
  private typealias Rule = PortRule<TransportFixture>

  static let stopping: [PortRule<TransportFixture>] = [
    Rule("a cancelled receiver stops waiting, and the next message goes to the next receiver") { fixture in
      let (inbox, outlet) = try await fixture.lane()
      for number in 0..<20 as Range<UInt64> {
        let waiting = Task { try await inbox.receive(atMost: 8, until: nil) }
        if number % 2 == 0 { for _ in 0..<50 { await Task.yield() } }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        try await outlet.send(Numbered.envelopes([number]))
        #expect(Numbered.numbers(try await inbox.take(1)) == [number])
      }
    },
    Rule("closing an inbox wakes its receiver") { fixture in
      let inbox = try await fixture.bind()
      let waiting = Task { try await inbox.receive(atMost: 8, until: nil) }
      for _ in 0..<50 { await Task.yield() }
      await inbox.close()
      await #expect(throws: TransportError.closed(inbox.address)) { try await waiting.value }
      await #expect(throws: TransportError.closed(inbox.address)) {
        try await inbox.receive(atMost: 8, until: fixture.moment(inMilliseconds: 1_000))
      }
    },
    Rule("closing twice is closing once") { fixture in
      let (inbox, outlet) = try await fixture.lane()
      await outlet.close()
      await outlet.close()
      await inbox.close()
      await inbox.close()
    },
  ]
}
