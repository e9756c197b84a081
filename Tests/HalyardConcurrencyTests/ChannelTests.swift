import PipelineTesting
import Posix
import Testing

@testable import HalyardConcurrency

/// What is sent, held and received while a channel is open.
@Suite(.timeLimit(.minutes(10)))
struct ChannelTests {
  @Test(arguments: [1, 3, 64]) func `a sender waits only while the channel is full`(capacity: Int)
    async throws
  {
    let channel = TaskChannel<Int>(capacity: .limited(capacity))
    for number in 0..<capacity { try await channel.send(number) }
    #expect(try !channel.offer(-1))
    async let late: Void = channel.send(capacity)
    await until { channel.census.senders == 1 }
    #expect(try await channel.receive() == 0)
    try await late
    for number in 1...capacity { #expect(try await channel.receive() == number) }
    #expect(channel.census == (0, 0, 0))
  }

  @Test func `without capacity a sender waits for its receiver`() async throws {
    let channel = TaskChannel<String>(capacity: 0)
    #expect(try !channel.offer("nobody is there"))
    async let sent: Void = channel.send("first")
    await until { channel.census.senders == 1 }
    #expect(channel.census.kept == 0)
    #expect(try await channel.receive() == "first")
    try await sent

    async let received = channel.receive()
    await until { channel.census.receivers == 1 }
    #expect(try channel.offer("second"))
    #expect(try await received == "second")
  }

  @Test func `a conflating channel keeps the newest, and nobody waits to send`() async throws {
    let channel = TaskChannel<Int>(capacity: .conflating)
    for number in 1...5 { try await channel.send(number) }
    #expect(try channel.offer(6))
    #expect(try await channel.receive() == 6)
    async let next = channel.receive()
    await until { channel.census.receivers == 1 }
    try await channel.send(7)
    #expect(try await next == 7)
  }

  @Test func `an unbounded channel takes everything`() async throws {
    let channel = TaskChannel<Int>(capacity: .unbounded)
    for number in 0..<10_000 { #expect(try channel.offer(number)) }
    channel.close()
    var received: [Int] = []
    for try await number in channel { received.append(number) }
    #expect(received == Array(0..<10_000))
  }

  @Test func `whoever came first to receive is served first`() async throws {
    let channel = TaskChannel<Int>(capacity: 0)
    let served = Lock<[String]>([])
    try await withThrowingTaskGroup { group in
      for name in 0..<20 {
        group.addTask {
          guard let number = try await channel.receive() else { return }
          served.withLock { $0.append("\(name) got \(number)") }
        }
        await until { channel.census.receivers == name + 1 }
      }
      for number in 0..<20 { #expect(try channel.offer(number)) }
      try await group.waitForAll()
    }
    #expect(served.withLock { Set($0) } == Set((0..<20).map { "\($0) got \($0)" }))
  }

  @Test(arguments: [0, 1, 5]) func `whoever came first to send is served first`(capacity: Int) async throws {
    let channel = TaskChannel<Int>(capacity: .limited(capacity))
    try await withThrowingTaskGroup { group in
      for number in 0..<20 {
        group.addTask { try await channel.send(number) }
        await until { channel.census.kept + channel.census.senders == number + 1 }
      }
      for number in 0..<20 { #expect(try await channel.receive() == number) }
      try await group.waitForAll()
    }
  }

  @Test(arguments: [0, 1, 4]) func `a batch takes what is there, and what waits to be sent`(capacity: Int)
    async throws
  {
    let channel = TaskChannel<Int>(capacity: .limited(capacity))
    try await withThrowingTaskGroup { group in
      for number in 0..<10 {
        group.addTask { try await channel.send(number) }
        await until { channel.census.kept + channel.census.senders == number + 1 }
      }
      #expect(try await channel.receive(upTo: 7) == Array(0..<7))
      #expect(try await channel.receive(upTo: 7) == [7, 8, 9])
      try await group.waitForAll()
    }
    #expect(channel.takeNow() == [])
    async let batch = channel.receive(upTo: 7)
    await until { channel.census.receivers == 1 }
    #expect(try channel.offer(10))
    #expect(try await batch == [10])
  }

  @Test(arguments: [0, 1, 64]) func `nothing is lost or doubled between many senders and receivers`(
    capacity: Int
  ) async throws {
    let channel = TaskChannel<Int>(capacity: .limited(capacity))
    let received = Lock<[Int]>([])
    try await withThrowingTaskGroup { group in
      for receiver in 0..<4 {
        group.addTask {
          var mine: [Int] = []
          if receiver % 2 == 0 {
            for try await number in channel { mine.append(number) }
          } else {
            while case let batch = try await channel.receive(upTo: 8), !batch.isEmpty { mine += batch }
          }
          // Each sender's elements come in its order.
          for sender in 0..<4 {
            let numbers = mine.filter { $0 % 4 == sender }
            #expect(numbers == numbers.sorted())
          }
          received.withLock { $0 += mine }
        }
      }
      try await withThrowingTaskGroup { senders in
        for sender in 0..<4 {
          senders.addTask { for number in 0..<2_500 { try await channel.send(number * 4 + sender) } }
        }
        try await senders.waitForAll()
      }
      channel.close()
      try await group.waitForAll()
    }
    #expect(received.withLock { $0.sorted() } == Array(0..<10_000))
  }
}
