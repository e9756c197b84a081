import Pipeline
import PipelineTesting
import Testing
import TransportInProcess

/// What only inboxes in the same process promise to those who do not wait.
@Suite(.timeLimit(.minutes(1)))
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
}
