import Testing

@testable import HalyardConcurrency

/// The queues inside a channel.
struct QueueTests {
  @Test func `a ring gives what an array would, from both ends`() {
    var (ring, array) = (Ring<Int>(), [Int]())
    var random: UInt64 = 1
    for number in 0..<20_000 {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      switch random >> 60 {
      case 0..<6:
        ring.append(number)
        array.append(number)
      case 6..<8:
        ring.prepend(number)
        array.insert(number, at: 0)
      default: #expect(ring.popFirst() == (array.isEmpty ? nil : array.removeFirst()))
      }
      #expect(ring.count == array.count && ring.isEmpty == array.isEmpty)
    }
  }

  @Test func `whoever leaves a line is passed over`() {
    var line = WaitingLine<String>()
    for ticket in 1...5 { line.append("number \(ticket)", ticket: UInt64(ticket)) }
    #expect(line.leave(1) == "number 1")
    #expect(line.leave(1) == nil)
    #expect(line.leave(3) == "number 3")
    #expect(line.popFirst() == "number 2")
    #expect(line.leave(2) == nil)
    #expect(line.removeAll() == ["number 4", "number 5"])
    #expect(line.isEmpty && line.popFirst() == nil)
  }

  @Test func `a line does not remember all who ever left it`() {
    var line = WaitingLine<Int>()
    line.append(0, ticket: 0)
    for ticket in 1..<UInt64(100_000) {
      line.append(1, ticket: ticket)
      _ = line.leave(ticket)
    }
    #expect(line.order.count < 100)
    #expect(line.popFirst() == 0)
  }
}
