import PipelineTesting
import Posix
import Testing

@testable import HalyardConcurrency

/// How a channel ends, and what everybody is told.
@Suite(.timeLimit(.minutes(10)))
struct ChannelEndTests {
  @Test func `what is in a closed channel is still received, and then it is over`() async throws {
    let channel = TaskChannel<Int>(capacity: 2)
    try await channel.send(1)
    try await channel.send(2)
    async let late = outcome { () throws(TaskChannelError) in try await channel.send(3) }
    await until { channel.census.senders == 1 }
    channel.close()
    guard case .failure(.closed) = await late else { return #expect(Bool(false), "it was sent") }
    #expect(throws: TaskChannelError.closed) { try channel.offer(4) }
    await #expect(throws: TaskChannelError.closed) { try await channel.send(4) }
    #expect(try await channel.receive() == 1)
    #expect(try await channel.receive(upTo: 5) == [2])
    #expect(try await channel.receive() == nil)
    #expect(try await channel.receive(upTo: 5) == [])
    channel.close()
  }

  @Test func `who waits to receive is told that a channel was closed`() async throws {
    let channel = TaskChannel<Int>(capacity: 0)
    async let first = channel.receive()
    async let second = channel.receive(upTo: 4)
    await until { channel.census.receivers == 2 }
    channel.close()
    #expect(try await first == nil)
    #expect(try await second == [])
  }

  @Test func `cancelling drops what is there, and tells everybody who waits`() async throws {
    let gone = Lock<[Int]>([])
    let channel = TaskChannel<Element>(capacity: 2)
    func element(_ number: Int) -> Element {
      Element(number) { number in gone.withLock { $0.append(number) } }
    }
    try await channel.send(element(1))
    try await channel.send(element(2))
    let late = Task { await outcome { () throws(TaskChannelError) in try await channel.send(element(3)) } }
    await until { channel.census.senders == 1 }
    channel.cancel()
    guard case .failure(.cancelled) = await late.value else { return #expect(Bool(false), "it was sent") }
    await until { gone.withLock { $0.sorted() } == [1, 2, 3] }
    await #expect(throws: TaskChannelError.cancelled) { try await channel.receive() }
    await #expect(throws: TaskChannelError.cancelled) { try await channel.receive(upTo: 2) }
    await #expect(throws: TaskChannelError.cancelled) { try await channel.send(element(4)) }
    channel.close()
    await #expect(throws: TaskChannelError.cancelled) { try await channel.receive() }
  }

  @Test func `a closed channel can still be cancelled`() async throws {
    let channel = TaskChannel<Int>(capacity: 1)
    try await channel.send(1)
    channel.close()
    channel.cancel()
    await #expect(throws: TaskChannelError.cancelled) { try await channel.receive() }
  }

  @Test func `who waits to receive is told that a channel was cancelled`() async throws {
    let channel = TaskChannel<Int>(capacity: 0)
    async let received = outcome { () throws(TaskChannelError) in try await channel.receive() }
    await until { channel.census.receivers == 1 }
    channel.cancel()
    #expect(await received == .failure(.cancelled))
  }

  /// Elements go when nobody holds the lock: one whose end sends into the same channel does not wait for itself.
  @Test func `the end of an element may use the channel`() async throws {
    let channel = TaskChannel<Element>(capacity: .conflating)
    let ends = Lock(0)
    @Sendable func element(_ number: Int) -> Element {
      Element(number) { _ in
        _ = channel.census
        ends.withLock { $0 += 1 }
      }
    }
    try await channel.send(element(1))
    try await channel.send(element(2))
    #expect(ends.withLock { $0 } == 1)
    channel.cancel()
    #expect(ends.withLock { $0 } == 2)
  }
}
