import Testing

@testable import TransportZeroMQ

/// What an inbox keeps for a role that is busy.
struct WaitingFramesTests {
  @Test func `frames come out in the order they came in, and leave their room`() {
    var waiting = WaitingFrames<Int>(room: 1 << 20)
    for size in [10, 200_000, 30] { waiting.add(size, bytes: size) }
    #expect(waiting.bytes > 200_040)
    let sizes = (0..<4).map { _ in waiting.popFirst() }
    #expect(sizes == [10, 200_000, 30, nil])
    #expect(waiting.bytes == 0 && waiting.isEmpty)
  }

  @Test func `a flood of large frames leaves room for small ones`() {
    var waiting = WaitingFrames<Int>(room: 1 << 20)
    #expect(fill(&waiting, with: 100_000) == 7)
    #expect(fill(&waiting, with: 100) > 1_000)
    #expect(waiting.bytes <= 1 << 20)
  }

  @Test func `empty frames take room as well`() {
    var waiting = WaitingFrames<Int>(room: 1 << 20)
    #expect(fill(&waiting, with: 0) == (1 << 20) / 64)
    #expect(waiting.largest < 0)
  }

  /// - Returns: How many it took.
  private func fill(_ waiting: inout WaitingFrames<Int>, with size: Int) -> Int {
    var count = 0
    while waiting.largest >= size {
      waiting.add(size, bytes: size)
      count += 1
    }
    return count
  }
}
