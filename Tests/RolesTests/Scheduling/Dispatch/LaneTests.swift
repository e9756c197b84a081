import Pipeline
import PipelineTesting
import Testing

@testable import Roles

struct LaneTests {
  private func takeAll(_ sender: inout LaneSender) -> [UInt64] {
    var taken: [UInt64] = []
    while let sequence = sender.take() { taken.append(sequence) }
    return taken
  }

  @Test func `what was on its way before the sender counted is not free twice`() {
    var sender = LaneSender(received: 10, granted: 20)
    sender.received(grant: 26, of: 16)
    #expect(sender.available == 10)
  }

  @Test func `a sender sends what was granted and no more`() {
    var sender = LaneSender(granted: 2)
    #expect(takeAll(&sender) == [1, 2])
    sender.received(grant: 3)
    #expect(sender.available == 1)
    #expect(takeAll(&sender) == [3])
  }

  @Test func `late and repeated grants change nothing`() {
    var sender = LaneSender(received: 5, granted: 9)
    let before = sender
    for grant in [9, 8, 0, 9] as [UInt64] { sender.received(grant: grant) }
    #expect(sender == before)
    #expect(takeAll(&sender) == [6, 7, 8, 9])
  }

  @Test func `a credit whose message was not sent is put back`() {
    var sender = LaneSender(granted: 2)
    let isKept = sender.reserve()
    #expect(isKept)
    #expect(sender.available == 1)
    sender.putBack()
    #expect(takeAll(&sender) == [1, 2])
    let isKeptAgain = sender.reserve()
    #expect(!isKeptAgain)
    var unused = LaneSender()
    unused.putBack()
    #expect(unused == LaneSender())
  }

  @Test func `a grant below what was sent, or beyond all numbers, is no trap`() {
    var sender = LaneSender(received: 10, granted: 3)
    #expect(sender.available == 0)
    #expect(takeAll(&sender) == [])
    sender.received(grant: .max)
    let sequence = sender.take()
    #expect(sequence == 11)
  }

  @Test func `grants are batched while there is work, and immediate at the end`() {
    var receiver = LaneReceiver(window: 8)
    for sequence in 1...3 as ClosedRange<UInt64> { receiver.accepted(sequence: sequence) }
    let grants = (1...3).map { _ in
      receiver.finishedOne()
      return receiver.newGrant()
    }
    #expect(grants == [nil, 10, 11])
    let again = receiver.newGrant()
    #expect(again == nil)
  }

  @Test func `a burst that is finished at once is worth one grant`() {
    var receiver = LaneReceiver(window: 64)
    for sequence in 1...10 as ClosedRange<UInt64> {
      receiver.accepted(sequence: sequence)
      receiver.finishedOne()
    }
    let grants = [receiver.newGrant(), receiver.newGrant()]
    #expect(grants == [74, nil])
  }

  @Test func `a place in the lane that is used twice does not widen the window for good`() {
    var receiver = LaneReceiver(window: 4)
    for sequence in [1, 2, 3, 4, 1, 2, 3, 4] as [UInt64] { receiver.accepted(sequence: sequence) }
    for _ in 1...8 { receiver.finishedOne() }
    let grant = receiver.newGrant()
    #expect(grant == 8)
  }

  /// The receiver's grants get lost, doubled, delayed and reordered; every now and then the present one is repeated,
  /// as a HELLO does.
  @Test(arguments: [1, 2, 3, 7, 256] as [UInt64], 0..<6 as Range<UInt64>)
  func `a lane never exceeds its window and never stalls`(window: UInt64, seed: UInt64) throws {
    var lane = FaultyLane(window: window, seed: seed, loses: true)
    var steps = 0
    while lane.receiver.finished < 1_500 {
      lane.step()
      let unfinished = lane.sender.sent - lane.receiver.finished
      try #require(unfinished <= window)
      steps += 1
      try #require(steps < 200_000, "stalled at \(lane.receiver.finished)")
    }
  }

  @Test(arguments: [1, 2, 3, 7, 256] as [UInt64])
  func `a lane that loses nothing needs no repeated grants`(window: UInt64) throws {
    var lane = FaultyLane(window: window, seed: window, loses: false)
    for _ in 0..<40_000 where lane.receiver.finished < 1_500 { lane.step() }
    #expect(lane.receiver.finished == 1_500)
  }
}

/// Both ends of a lane and the network between them.
private struct FaultyLane {
  var sender: LaneSender
  var receiver: LaneReceiver
  private var random: SeededGenerator
  private var underWay: [UInt64] = []
  private var working = 0
  private var grants: [UInt64] = []
  private let loses: Bool

  init(window: UInt64, seed: UInt64, loses: Bool) {
    sender = LaneSender(granted: window)
    receiver = LaneReceiver(window: window)
    random = SeededGenerator(seed: seed)
    self.loses = loses
  }

  mutating func step() {
    switch Int.random(in: 0..<5, using: &random) {
    case 0:
      if let sequence = sender.take() { underWay.append(sequence) }
    case 1:
      guard !underWay.isEmpty else { return }
      receiver.accepted(sequence: underWay.removeFirst())
      working += 1
    case 2:
      guard working > 0 else { return }
      working -= 1
      receiver.finishedOne()
      if let grant = receiver.newGrant() { send(grant) }
    case 3: deliverGrant()
    default:
      if loses, Int.random(in: 0..<20, using: &random) == 0 { grants.append(receiver.granted) }
    }
  }

  private mutating func send(_ grant: UInt64) {
    guard loses else { return grants.append(grant) }
    for _ in 0..<Int.random(in: 0...2, using: &random) { grants.append(grant) }
  }

  private mutating func deliverGrant() {
    guard !grants.isEmpty else { return }
    let index = loses ? Int.random(in: 0..<grants.count, using: &random) : 0
    sender.received(grant: grants.remove(at: index))
  }
}

struct LaneLossTests {
  @Test func `a kept credit becomes a place in the lane when its message is sent`() {
    var sender = LaneSender(granted: 2)
    let isKept = sender.reserve()
    let first = sender.take()
    let second = sender.sendReserved()
    #expect(isKept)
    #expect(first == 1)
    #expect(second == 2)
    #expect(sender.available == 0)
  }

  @Test func `messages that got lost on the way take no place in the window`() {
    var receiver = LaneReceiver(window: 4)
    receiver.accepted(sequence: 1)
    receiver.accepted(sequence: 4)
    #expect(receiver.finished == 2)
    receiver.wasSent(6)
    #expect(receiver.finished == 4)
    #expect(receiver.granted == 8)
  }

  @Test func `a receiver that forgot its sender goes on from what the sender says`() {
    let receiver = LaneReceiver(window: 4, after: 100)
    #expect(receiver.granted == 104)
    #expect(receiver.received == 100)
  }
}

struct LaneLieTests {
  @Test func `a sender survives whatever its receiver claims`() {
    var sender = LaneSender(received: .max, granted: .max)
    sender.received(grant: .max)
    let isKept = sender.reserve()
    let place = sender.take()
    #expect(!isKept)
    #expect(place == nil)
  }

  @Test func `a grant that no window is wide enough for is one of the widest window`() {
    var sender = LaneSender(received: 5, granted: .max)
    #expect(sender.available == 1 << 14)
    sender.received(grant: .max)
    #expect(sender.available == 1 << 14)
  }

  @Test func `places far ahead in a lane do not move it`() {
    var receiver = LaneReceiver(window: 4)
    for sequence in [1, 1_000, .max, 2] as [UInt64] { receiver.accepted(sequence: sequence) }
    receiver.wasSent(1 << 40)
    #expect(receiver.received == 2)
    receiver.finishedOne()
    receiver.finishedOne()
    let grant = receiver.newGrant()
    #expect(grant == 6)
  }

  @Test func `a receiver survives whatever its sender claims`() {
    var receiver = LaneReceiver(window: 4, after: .max)
    receiver.wasSent(.max)
    receiver.accepted(sequence: .max)
    receiver.finishedOne()
    let grant = receiver.newGrant()
    #expect(grant == nil)
    #expect(receiver.granted == receiver.received + 4)
  }
}
