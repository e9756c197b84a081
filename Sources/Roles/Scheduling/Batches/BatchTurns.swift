import Pipeline

/// Whose turn it is: batches by weighted fair queueing, and the hosts of each one after another. A pure value.
///
/// A host stands here once for every batch that has something for it. One that cannot start just now is found out when
/// its turn comes. Batches are kept under small numbers, so that a start looks none of them up.
struct BatchTurns: Sendable {
  private struct Line: Sendable {
    var batch: BatchID?
    var weight: UInt32
    /// The virtual time of its next start.
    var time: UInt64
    /// None of its items may start now.
    var isHeld: Bool
    /// Items that wait.
    var count = 0
    /// Where they wait and may start.
    var hosts = FIFO<String>()
    var isQueued = false
  }

  private var lines: [Line] = []
  private var free: [Int] = []
  private var numbers: [BatchID?: Int] = [:]
  private var queue = MinHeap<VirtualTime.Turn, Int>()
  private var now: UInt64 = 0
  private var order: UInt64 = 0
  private var weights: [BatchID: UInt32] = [:]
  private var held: Set<BatchID> = []
  /// Items that wait, without those that are known to be gone.
  private(set) var count = 0
  /// Of all batches that have items waiting.
  private(set) var weight: UInt64 = 0
  /// Lines that are not needed are dropped when there are so many.
  private var mostLines = 64

  /// Items of a batch that wait.
  func count(of batch: BatchID?) -> Int { numbers[batch].map { lines[$0].count } ?? 0 }

  func number(of batch: BatchID?) -> Int? { numbers[batch] }

  func weight(of batch: BatchID?) -> UInt32 {
    guard !weights.isEmpty, let batch else { return BatchTerms.normalWeight }
    return weights[batch] ?? BatchTerms.normalWeight
  }

  func weight(of number: Int) -> UInt32 { lines[number].weight }
  func stride(of number: Int) -> UInt64 { VirtualTime.stride(of: lines[number].weight) }
  func isHeld(_ number: Int) -> Bool { lines[number].isHeld }

  /// The number of a batch, which stays the same as long as items of it wait.
  mutating func enter(_ batch: BatchID?) -> Int {
    if let known = numbers[batch] { return known }
    if numbers.count >= mostLines { dropIdle() }
    let isHeld = batch.map { !held.isEmpty && held.contains($0) } ?? false
    let line = Line(batch: batch, weight: weight(of: batch), time: now, isHeld: isHeld)
    let number = free.popLast() ?? lines.count
    if number == lines.count { lines.append(line) } else { lines[number] = line }
    numbers[batch] = number
    return number
  }

  /// Those that have used more than their part stay until the others have caught up.
  private mutating func dropIdle() {
    for (batch, number) in numbers {
      let line = lines[number]
      guard line.count == 0, line.hosts.isEmpty, !line.isQueued, line.time <= now else { continue }
      free.append(number)
      numbers[batch] = nil
    }
    mostLines = max(64, 2 * numbers.count)
  }

  mutating func count(_ more: Int, of number: Int) {
    guard more != 0 else { return }
    count += more
    let before = lines[number].count
    lines[number].count = before + more
    if before == 0 {
      weight += UInt64(lines[number].weight)
    } else if before + more == 0 {
      weight -= UInt64(lines[number].weight)
    }
  }

  /// A host may start something of the batch.
  mutating func append(_ host: String, of number: Int) {
    lines[number].hosts.append(host)
    if !lines[number].isQueued { enqueue(number) }
  }

  private mutating func enqueue(_ number: Int) {
    guard !lines[number].isQueued, !lines[number].isHeld, !lines[number].hosts.isEmpty else { return }
    lines[number].isQueued = true
    lines[number].time = max(lines[number].time, now)
    insert(number)
  }

  private mutating func insert(_ number: Int) {
    order &+= 1
    queue.insert(number, at: VirtualTime.Turn(time: lines[number].time, order: order))
  }

  /// The next host of the batch whose turn it is. What it starts is charged by `started`.
  mutating func next() -> (host: String, number: Int)? {
    while let first = queue.first {
      let number = first.value
      if lines[number].isHeld || lines[number].hosts.isEmpty {
        _ = queue.popFirst()
        lines[number].isQueued = false
      } else if lines[number].time != first.key.time {
        _ = queue.popFirst()
        insert(number)
      } else if let host = lines[number].hosts.popFirst() {
        return (host, number)
      }
    }
    return nil
  }

  /// Something of a batch has started, on the turn of that one or of another.
  mutating func started(_ number: Int, onTurnOf turn: Int) {
    now = max(now, lines[turn].time)
    lines[number].time = max(lines[number].time, now) + stride(of: number)
    count(-1, of: number)
  }

  /// From now on the batch has this part, beside the weights of the others.
  mutating func weigh(_ batch: BatchID, _ weight: UInt32) {
    weights[batch] = weight == BatchTerms.normalWeight ? nil : weight
    guard let number = numbers[batch] else { return }
    if lines[number].count > 0 {
      self.weight += UInt64(weight)
      self.weight -= UInt64(lines[number].weight)
    }
    lines[number].weight = weight
  }

  /// Keeps all items of a batch from starting, or lets them go.
  mutating func hold(_ batch: BatchID, _ isHeld: Bool) {
    if isHeld { held.insert(batch) } else { held.remove(batch) }
    guard let number = numbers[batch] else { return }
    lines[number].isHeld = isHeld
    enqueue(number)
  }

  /// None of the batch's hosts has a turn any more.
  mutating func dropHosts(of number: Int) {
    lines[number].hosts = FIFO()
  }
}

/// Virtual time of weighted fair queueing: a start takes as much of it as the batch's weight is small, and who has used
/// the least goes next. It stands at the last start, so a batch that comes now neither claims the past nor waits for it.
enum VirtualTime {
  /// What a start of weight 1 takes. With every start of this weight it would last for centuries.
  private static let whole: UInt64 = 1 << 20

  static func stride(of weight: UInt32) -> UInt64 { whole / UInt64(max(1, weight)) }

  /// When something is next; of two with the same time the one that came first.
  struct Turn: Comparable, Sendable {
    var time: UInt64
    var order: UInt64

    static func < (left: Turn, right: Turn) -> Bool {
      left.time == right.time ? left.order < right.order : left.time < right.time
    }
  }
}
