import Pipeline
import Posix
import Roles

/// The input of a submission: tells whether there is any before a batch is made, and on which line a job stands.
final class SubmittedFeed: JobFeed {
  private struct State {
    var first: [InputJob]?
    var lines = LineMap()
  }

  private let input: InputFeed
  private let state = Lock(State())

  init(_ input: InputFeed) {
    self.input = input
  }

  var total: ProgressCounts.Total { input.total }
  var leftOut: LinkSelection.LeftOut { input.leftOut }

  /// - Returns: False when the input is empty.
  func open() async throws -> Bool {
    try await input.open(before: [.standardOutput])
    guard let first = try await input.nextPlaced(atMost: 1) else { return false }
    state.withLock { $0.first = first }
    return true
  }

  func next(atMost limit: Int) async throws -> [JobDraft]? {
    var burst = state.withLock { $0.first.take() }
    if burst == nil { burst = try await input.nextPlaced(atMost: limit) }
    guard let burst else { return nil }
    state.withLock { state in
      for placed in burst { state.lines.add(line: placed.line, source: placed.source) }
    }
    return burst.map(\.draft)
  }

  /// How messages name the place of a job in the batch.
  func place(of ordinal: UInt64) -> String {
    let (line, source) = state.withLock { $0.lines.place(of: ordinal) }
    return input.plan.place(line: line, source: source)
  }
}

/// Which line of which source each job stands on. Most follow each other, so only the others are kept. A pure value.
struct LineMap {
  private var count: UInt64 = 0
  /// The first jobs of runs of lines.
  private var starts: [(ordinal: UInt64, line: Int, source: Int)] = []

  mutating func add(line: Int, source: Int = 0) {
    if starts.isEmpty || place(of: count) != (line, source) { starts.append((count, line, source)) }
    count += 1
  }

  func place(of ordinal: UInt64) -> (line: Int, source: Int) {
    var (low, high) = (0, starts.count)
    while low < high {
      let middle = (low + high) / 2
      if starts[middle].ordinal <= ordinal { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return (Int(clamping: ordinal) + 1, 0) }
    let start = starts[low - 1]
    return (start.line + Int(clamping: ordinal - start.ordinal), start.source)
  }
}
