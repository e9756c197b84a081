import Pipeline
import PipelineTesting

@testable import Roles

/// A dispatcher with a fetcher whose jobs take a time of chance, on a clock that jumps from event to event. Memory holds
/// some hundred jobs of each batch, as that of an aggregator does.
struct ModelFleet: ~Copyable {
  struct Start {
    var at: Int64
    var batch: Int
    var host: String
  }

  struct Batch {
    var terms: BatchTerms
    /// Where the job at a place goes.
    var host: (UInt64) -> String
    var jobs = UInt64.max
    var next: UInt64 = 0
  }

  private static let inMemory = 400

  var dispatcher: Dispatcher
  private(set) var batches: [Batch] = []
  private(set) var starts: [Start] = []
  /// Most jobs of each batch at once.
  private(set) var most: [Int] = []
  private(set) var now: Int64 = 0
  private var running: [Int] = []
  private var ends = MinHeap<Int64, (lease: Lease, id: JobID, batch: Int)>()
  private var random: SeededGenerator
  private var granted: UInt64
  private let milliseconds: ClosedRange<Int64>
  private let fetcher = WorkerID(UUIDv7(high: 1, low: 1))

  init(
    places: UInt64, perHost: Int = 8, taking milliseconds: ClosedRange<Int64> = 200...1_800, seed: UInt64 = 0
  ) {
    dispatcher = Dispatcher(paces: HostPaces(HostPace(atOnce: perHost)))
    (granted, self.milliseconds) = (places, milliseconds)
    random = SeededGenerator(seed: seed)
    grant()
  }

  static func id(_ number: Int) -> BatchID { BatchID(UUIDv7(high: UInt64(number + 1), low: 1 << 41)) }

  private var moment: Moment { Moment(unixMilliseconds: now) }

  private mutating func grant() {
    dispatcher.fetcherSpoke(
      Hello(
        worker: fetcher, role: .fetcher, locality: "here", address: Address("inproc://f"), granted: granted,
        received: 0))
  }

  mutating func submit(_ batch: Batch) {
    batches.append(batch)
    running.append(0)
    most.append(0)
    dispatcher.set(
      batch.terms, of: Self.id(batches.count - 1), isPaused: false, isNew: true, at: moment)
    fill()
  }

  mutating func pause(_ batch: Int, _ isPaused: Bool) {
    dispatcher.set(batches[batch].terms, of: Self.id(batch), isPaused: isPaused, at: moment)
  }

  private mutating func fill() {
    for number in batches.indices {
      let id = Self.id(number)
      while dispatcher.held(of: id) < Self.inMemory, batches[number].next < batches[number].jobs {
        let (ordinal, host) = (batches[number].next, batches[number].host(batches[number].next))
        let job = Job(batch: id, ordinal: ordinal, kind: .title, input: "http://\(host)/\(number)/\(ordinal)")
        dispatcher.arrived(LedgerJob(job, life: JobLife(), at: moment), host: host, at: moment)
        batches[number].next += 1
      }
    }
  }

  /// Gives out what may start now.
  mutating func turn() {
    for assignment in dispatcher.assignments(at: moment, atMost: 500) {
      let job = assignment.order.job
      guard let batch = batches.indices.first(where: { Self.id($0) == job.batch }) else { continue }
      starts.append(Start(at: now, batch: batch, host: batches[batch].host(job.ordinal)))
      running[batch] += 1
      most[batch] = max(most[batch], running[batch])
      _ = dispatcher.sent(assignment)
      let end = now + .random(in: milliseconds, using: &random)
      ends.insert((assignment.order.lease, job.id, batch), at: end)
    }
    fill()
  }

  /// Goes on until a time.
  mutating func run(until end: Int64) {
    while true {
      turn()
      let wake = dispatcher.nextWake?.unixMilliseconds
      guard let next = [ends.first?.key, wake.map { max($0, now + 1) }].compactMap({ $0 }).min(), next <= end
      else { break }
      now = next
      while let first = ends.first, first.key <= now {
        _ = ends.popFirst()
        running[first.value.batch] -= 1
        _ = dispatcher.removed(first.value.id, at: moment)
        granted += 1
      }
      grant()
    }
    now = end
  }

  /// Starts of each batch in a span.
  func counts(in span: Range<Int64>) -> [Int] {
    var counts = batches.map { _ in 0 }
    for start in starts where span.contains(start.at) { counts[start.batch] += 1 }
    return counts
  }
}
