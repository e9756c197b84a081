import Pipeline
import Testing

extension TransportSuite {
  private typealias Rule = PortRule<TransportFixture>

  static let binding: [PortRule<TransportFixture>] = [
    Rule("an inbox knows where it can be reached") { fixture async throws in
      #expect(try await fixture.bind("here").address == fixture.address("here"))
    },
    Rule("an address is bound once, and the second try does not disturb the first") { fixture in
      let (inbox, outlet) = try await fixture.lane()
      let refusal = await #expect(throws: TransportError.self) { try await fixture.bind() }
      guard case .addressInUse(inbox.address, _) = refusal else {
        Issue.record("bound twice: \(String(describing: refusal))")
        return
      }
      try await outlet.send(Numbered.envelopes([1]))
      #expect(Numbered.numbers(try await inbox.take(1)) == [1])
    },
    Rule("a closed address can be bound again, and starts empty") { fixture in
      let (first, early) = try await fixture.lane()
      try await early.send(Numbered.envelopes([1]))
      await first.close()
      let (second, outlet) = try await fixture.lane()
      try await outlet.send(Numbered.envelopes([2]))
      #expect(Numbered.numbers(try await second.take(1)) == [2])
      await #expect(throws: TransportError.closed(first.address)) {
        while true { _ = try await first.receive(atMost: 8, until: nil) }
      }
    },
    Rule("of many who bind the same address, one gets it") { fixture in
      for _ in 0..<200 {
        let bound = await withTaskGroup { group in
          for _ in 0..<8 { group.addTask { try? await fixture.bind() } }
          return await group.reduce(into: []) { $0 += [$1].compactMap(\.self) }
        }
        #expect(bound.count == 1)
        for inbox in bound { await inbox.close() }
      }
    },
  ]
}
