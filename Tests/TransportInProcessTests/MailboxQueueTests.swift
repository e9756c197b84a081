import Pipeline
import Testing

@testable import TransportInProcess

/// Who may add to a mailbox at once.
struct MailboxQueueTests {
  private let burst = [Envelope(.drain)]

  @Test func `nobody overtakes whoever waits for room`() {
    var queue = MailboxQueue(capacity: 1)
    #expect(queue.hasRoom(for: 1))
    #expect(queue.append(contentsOf: burst[...]) == 1)
    #expect(!queue.hasRoom(for: 1))
    queue.writerWaits()
    #expect(!queue.wakesWriter)
    #expect(queue.take(atMost: 8).count == 1)
    // There is room, for somebody who came before.
    #expect(queue.wakesWriter)
    #expect(!queue.hasRoom(for: 1))
    queue.writerWoke()
    #expect(queue.hasRoom(for: 1))
    #expect(!queue.hasRoom(for: 2))
  }
}
