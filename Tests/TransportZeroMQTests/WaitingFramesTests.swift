import Testing

@testable import TransportZeroMQ

/// What an inbox keeps for a role that is busy.
struct WaitingFramesTests {
  private func frame(_ bytes: Int) -> [UInt8] { [UInt8](repeating: 1, count: bytes) }

  @Test func `frames come out in the order they came in, and leave their room`() {
    var waiting = WaitingFrames(room: 1 << 20)
    let isTaken = [10, 200_000, 30].map { waiting.add(frame($0)) }
    #expect(isTaken == [true, true, true])
    let sizes = (0..<4).map { _ in waiting.popFirst()?.count }
    #expect(sizes == [10, 200_000, 30, nil])
    #expect(waiting.bytes == 0 && waiting.isEmpty)
  }

  @Test func `a flood of large frames leaves room for small ones`() {
    var waiting = WaitingFrames(room: 1 << 20)
    let large = (0..<20).count { _ in waiting.add(frame(100_000)) }
    let small = (0..<2_000).count { _ in waiting.add(frame(100)) }
    #expect(large == 7)
    #expect(small > 1_000)
    #expect(waiting.bytes <= 1 << 20)
    #expect(waiting.dropped == 20 - large + 2_000 - small)
  }

  @Test func `empty frames take room as well`() {
    var waiting = WaitingFrames(room: 1 << 20)
    let taken = (0..<20_000).count { _ in waiting.add([]) }
    #expect(taken < 20_000)
  }
}
