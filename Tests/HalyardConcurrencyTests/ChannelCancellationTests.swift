import PipelineTesting
import Posix
import Testing

@testable import HalyardConcurrency

/// Tasks that are cancelled while they wait: only they end, exactly once, and no element is lost.
@Suite(.timeLimit(.minutes(10)))
struct ChannelCancellationTests {
  @Test func `a cancelled sender keeps its element, and others go on`() async throws {
    let channel = TaskChannel<String>(capacity: 0)
    let first = Task { await outcome { () throws(TaskChannelError) in try await channel.send("first") } }
    await until { channel.census.senders == 1 }
    let second = Task { await outcome { () throws(TaskChannelError) in try await channel.send("second") } }
    await until { channel.census.senders == 2 }
    first.cancel()
    guard case .failure(.interrupted) = await first.value else { return #expect(Bool(false), "it was sent") }
    #expect(try await channel.receive() == "second")
    guard case .success = await second.value else { return #expect(Bool(false), "it was not sent") }
  }

  @Test func `a cancelled receiver leaves the element to the next`() async throws {
    let channel = TaskChannel<Int>(capacity: 0)
    let first = Task { await outcome { () throws(TaskChannelError) in try await channel.receive() } }
    await until { channel.census.receivers == 1 }
    let second = Task { await outcome { () throws(TaskChannelError) in try await channel.receive() } }
    await until { channel.census.receivers == 2 }
    first.cancel()
    #expect(await first.value == .failure(.interrupted))
    #expect(try channel.offer(7))
    #expect(await second.value == .success(7))
  }

  @Test func `a task that is cancelled already neither sends nor receives`() async throws {
    let channel = TaskChannel<Int>(capacity: 4)
    try await channel.send(1)
    let ends = await Task {
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      return (
        await outcome { () throws(TaskChannelError) in try await channel.receive() },
        await outcome { () throws(TaskChannelError) in try await channel.receive(upTo: 3) },
        await outcome { () throws(TaskChannelError) in
          try await channel.send(2)
          return true
        }, channel.takeNow()
      )
    }.value
    #expect(ends.0 == .failure(.interrupted))
    #expect(ends.1 == .failure(.interrupted))
    #expect(ends.2 == .failure(.interrupted))
    #expect(ends.3 == [1])
  }

  /// The receiver runs where the test does, so it cannot have woken between the two.
  @Test @MainActor func `what was handed to a receiver that is cancelled then goes to the next`() async throws
  {
    let channel = TaskChannel<Int>(capacity: 0)
    let first = Task { @MainActor in
      await outcome { () throws(TaskChannelError) in try await channel.receive() }
    }
    await until { channel.census.receivers == 1 }
    let second = Task { @MainActor in
      await outcome { () throws(TaskChannelError) in try await channel.receive() }
    }
    await until { channel.census.receivers == 2 }
    #expect(try channel.offer(7))
    first.cancel()
    #expect(await first.value == .failure(.interrupted))
    #expect(await second.value == .success(7))
  }

  @Test @MainActor func `what comes back is received before all else`() async throws {
    let channel = TaskChannel<Int>(capacity: 4)
    let first = Task { @MainActor in
      await outcome { () throws(TaskChannelError) in try await channel.receive(upTo: 3) }
    }
    await until { channel.census.receivers == 1 }
    for number in 1...3 { #expect(try channel.offer(number)) }
    first.cancel()
    #expect(await first.value == .failure(.interrupted))
    #expect(channel.takeNow() == [1, 2, 3])
  }

  @Test @MainActor
  func `nobody else comes to a channel that was closed, so a cancelled receiver has its element`()
    async throws
  {
    let channel = TaskChannel<Int>(capacity: 0)
    let receiver = Task { @MainActor in
      await outcome { () throws(TaskChannelError) in try await channel.receive() }
    }
    await until { channel.census.receivers == 1 }
    #expect(try channel.offer(7))
    channel.close()
    receiver.cancel()
    #expect(await receiver.value == .success(7))
  }

  @Test @MainActor func `in a conflating channel a newer element takes the place of one that comes back`()
    async throws
  {
    let channel = TaskChannel<Int>(capacity: .conflating)
    let receiver = Task { @MainActor in
      await outcome { () throws(TaskChannelError) in try await channel.receive() }
    }
    await until { channel.census.receivers == 1 }
    #expect(try channel.offer(1))
    #expect(try channel.offer(2))
    receiver.cancel()
    #expect(await receiver.value == .failure(.interrupted))
    #expect(channel.takeNow() == [2])
  }

  /// The cancellation came after the first look into the channel, and its handler found nobody waiting yet.
  @Test func `whoever is cancelled just before it waits does not wait`() async {
    var state = ChannelState<Int>(.limited(0))
    let reception: ChannelState<Int>.Reception = await withCheckedContinuation { receiver in
      switch state.wait(toReceiveAs: receiver, ticket: 1, isCancelled: true) {
      case .ended(let reception): receiver.resume(returning: reception)
      default: state.stopReceiving(1)?.resume(returning: .success(nil))
      }
    }
    let refusal: TaskChannelError? = await withCheckedContinuation { sender in
      switch state.wait(toSend: 7, as: sender, ticket: 2, isCancelled: true) {
      case .refused(let error): sender.resume(returning: error)
      default: state.stopSending(2)?.continuation.resume(returning: nil)
      }
    }
    guard case .failure(.interrupted) = reception else { return #expect(Bool(false), "it waited to receive") }
    #expect(refusal == .interrupted)
  }

  @Test func `ten thousand who wait for nothing all end when they are cancelled`() async {
    let channel = TaskChannel<Int>(capacity: 0)
    await withTaskGroup { group in
      for number in 0..<10_000 {
        let waiter = Task {
          if number % 2 == 0 {
            _ = try? await channel.receive(upTo: 2)
          } else {
            _ = try? await channel.receive()
          }
        }
        if number % 3 == 0 { await Task.yield() }
        group.addTask {
          waiter.cancel()
          await waiter.value
        }
      }
    }
    #expect(channel.census == (0, 0, 0))
  }

  @Test(arguments: [0, 1, 8]) func `ten thousand cancellations lose and double nothing`(
    capacity: Int
  ) async throws {
    let channel = TaskChannel<Int>(capacity: .limited(capacity))
    let (sent, received) = (Lock<[Int]>([]), Lock<[Int]>([]))
    // So that nobody waits for ever: it feeds and empties the channel until all others have ended.
    let helper = Task {
      while !Task.isCancelled {
        received.withLock { $0 += channel.takeNow() }
        _ = try? channel.offer(-1)
        await Task.yield()
      }
    }
    await withTaskGroup { group in
      for number in 0..<10_000 {
        let sender = Task {
          if (try? await channel.send(number)) != nil { sent.withLock { $0.append(number) } }
        }
        let receiver = Task {
          let taken =
            number % 2 == 0 ? try? await channel.receive().map { [$0] } : try? await channel.receive(upTo: 3)
          if let taken { received.withLock { $0 += taken } }
        }
        // Some have begun to wait when they are cancelled, some have not.
        if number % 7 == 0 { await Task.yield() }
        group.addTask {
          if number % 3 == 0 { sender.cancel() }
          if number % 3 != 2 { receiver.cancel() }
          await sender.value
          await receiver.value
        }
      }
    }
    helper.cancel()
    await helper.value
    received.withLock { $0 += channel.takeNow() }
    #expect(channel.census == (0, 0, 0))
    #expect(sent.withLock { $0.sorted() } == received.withLock { $0.filter { $0 >= 0 }.sorted() })
  }
}
