import Pipeline
import PipelineTesting
import Testing
import TransportInProcess

/// What only inboxes in the same process promise to those who do not wait.
@Suite(.timeLimit(.minutes(10)))
struct MailboxTests {
  private static let envelope = Envelope(.drain)

  @Test func `whoever was cancelled while it waited for room keeps nobody else out`() async throws {
    let transport = InProcessTransport(capacity: 1, clock: ManualClock())
    let inbox = try await transport.bind(Address("inproc://here"))
    let outlet = try await transport.connect(to: inbox.address, notifying: nil)
    for _ in 0..<20 {
      #expect(outlet.offer([Self.envelope]))
      let waiting = Task { try await outlet.send([Self.envelope]) }
      for _ in 0..<50 { await Task.yield() }
      waiting.cancel()
      await #expect(throws: CancellationError.self) {
        try await soon("the end of a cancelled sender") { try await waiting.value }
      }
      #expect(try await inbox.receive(atMost: 8, until: nil).count == 1)
    }
    #expect(outlet.offer([Self.envelope]))
  }

  @Test func `room for several wakes all who wait for it, though the reader takes once`() async throws {
    let transport = InProcessTransport(capacity: 4, clock: ManualClock())
    let inbox = try await transport.bind(Address("inproc://here"))
    let outlet = try await transport.connect(to: inbox.address, notifying: nil)
    for _ in 0..<20 {
      #expect(outlet.offer([Envelope](repeating: Self.envelope, count: 4)))
      let waiting = (0..<4).map { _ in Task { try await outlet.send([Self.envelope]) } }
      for _ in 0..<200 { await Task.yield() }
      #expect(try await inbox.receive(atMost: 4, until: nil).count == 4)
      for sender in waiting { try await soon("room for a sender") { try await sender.value } }
      #expect(try await inbox.receive(atMost: 8, until: nil).count == 4)
    }
  }

  @Test func `one alarm serves waits whose moments come later and later`() async throws {
    let clock = ManualClock()
    let transport = InProcessTransport(capacity: 4, clock: clock)
    let inbox = try await transport.bind(Address("inproc://here"))
    let outlet = try await transport.connect(to: inbox.address, notifying: nil)
    let (first, last) = (clock.now.advanced(byMilliseconds: 1_000), clock.now.advanced(byMilliseconds: 2_000))
    let answered = Task { try await inbox.receive(atMost: 8, until: first) }
    try await alarm(clock)
    #expect(outlet.offer([Self.envelope]))
    #expect(try await soon("a message") { try await answered.value }.count == 1)
    let waiting = Task { try await inbox.receive(atMost: 8, until: last) }
    for _ in 0..<200 { await Task.yield() }
    clock.advance(byMilliseconds: 1_000)
    try await alarm(clock)
    clock.advance(byMilliseconds: 1_000)
    #expect(try await soon("the end of a wait") { try await waiting.value }.isEmpty)
  }

  private func alarm(_ clock: ManualClock) async throws {
    try await soon("an alarm that is set") {
      while clock.sleepers == 0, !Task.isCancelled { await Task.yield() }
    }
  }
}
