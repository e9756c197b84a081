import HalyardConcurrency

/// Elements from one or four senders to one receiver, and through the standard library's stream to compare.
enum ChannelBench {
  private static let many = 1_000_000
  private static let capacities: [(name: String, capacity: TaskChannelCapacity, count: Int)] = [
    ("0", 0, 200_000), ("1", 1, 200_000), ("64", 64, 1_000_000), ("unbounded", .unbounded, 1_000_000),
  ]

  static func run() async throws {
    print("channel: from sending to receiving, for each element")
    for senders in [1, 4] {
      let who = "\(senders) \(senders == 1 ? "sender" : "senders")"
      try await Main.measure("AsyncStream, \(who), one by one", count: many) {
        await stream(.unbounded, senders: senders)
      }
      try await Main.measure("AsyncStream, \(who), the newest only", count: many) {
        await stream(.bufferingNewest(1), senders: senders)
      }
      try await Main.measure("conflating, \(who)", count: many) { try await conflating(senders: senders) }
    }
    for (name, capacity, count) in capacities {
      for senders in [1, 4] {
        for batch in [1, 64] {
          let way = batch == 1 ? "one by one" : "up to \(batch)"
          let title = "capacity \(name), \(senders) \(senders == 1 ? "sender" : "senders"), \(way)"
          try await Main.measure(title, count: count) {
            try await channel(capacity, senders: senders, batch: batch, count: count)
          }
        }
      }
    }
    try await Main.measure("capacity 64, sent and received by the same task", count: 1_000_000) {
      try await alone(1_000_000)
    }
  }

  private static func channel(_ capacity: TaskChannelCapacity, senders: Int, batch: Int, count: Int)
    async throws
  {
    let channel = TaskChannel<Int>(capacity: capacity)
    try await withThrowingTaskGroup { group in
      for _ in 0..<senders {
        group.addTask { for number in 0..<count / senders { try await channel.send(number) } }
      }
      group.addTask {
        var received = 0
        if batch == 1 {
          while received < count, try await channel.receive() != nil { received += 1 }
        } else {
          while received < count { received += try await channel.receive(upTo: batch).count }
        }
      }
      try await group.waitForAll()
    }
  }

  private static func alone(_ count: Int) async throws {
    let channel = TaskChannel<Int>(capacity: 64)
    for number in 0..<count {
      try await channel.send(number)
      _ = try await channel.receive()
    }
  }

  /// Until all is sent; how much is received is up to the receiver.
  private static func conflating(senders: Int) async throws {
    let channel = TaskChannel<Int>(capacity: .conflating)
    try await withThrowingTaskGroup { group in
      group.addTask { for try await _ in channel {} }
      try await withThrowingTaskGroup { sending in
        for _ in 0..<senders {
          sending.addTask { for number in 0..<many / senders { try await channel.send(number) } }
        }
        try await sending.waitForAll()
      }
      channel.close()
      try await group.waitForAll()
    }
  }

  private static func stream(
    _ policy: AsyncStream<Int>.Continuation.BufferingPolicy, senders: Int
  ) async {
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self, bufferingPolicy: policy)
    await withTaskGroup { group in
      group.addTask { for await _ in stream {} }
      await withTaskGroup { sending in
        for _ in 0..<senders {
          sending.addTask { for number in 0..<many / senders { continuation.yield(number) } }
        }
        await sending.waitForAll()
      }
      continuation.finish()
    }
  }
}
