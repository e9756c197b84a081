import Coordination

/// Elements from one or four senders to one receiver, and through the standard library's stream to compare.
enum ChannelBench {
  private static let capacities: [(name: String, capacity: ChannelCapacity, count: Int)] = [
    ("0", 0, 200_000), ("1", 1, 200_000), ("64", 64, 1_000_000), ("unbounded", .unbounded, 1_000_000),
  ]

  static func run() async throws {
    print("channel: from sending to receiving, for each element")
    try await Main.measure("AsyncStream, 1 sender, one by one", count: 1_000_000) { await stream(1_000_000) }
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

  private static func channel(_ capacity: ChannelCapacity, senders: Int, batch: Int, count: Int) async throws
  {
    let channel = Channel<Int>(capacity: capacity)
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
    let channel = Channel<Int>(capacity: 64)
    for number in 0..<count {
      try await channel.send(number)
      _ = try await channel.receive()
    }
  }

  private static func stream(_ count: Int) async {
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    await withTaskGroup { group in
      group.addTask {
        for number in 0..<count { continuation.yield(number) }
        continuation.finish()
      }
      group.addTask { for await _ in stream {} }
    }
  }
}
