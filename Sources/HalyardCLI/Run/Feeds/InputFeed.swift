import Pipeline
import Posix
import Roles

/// A job and where it stands in the input.
struct PlacedDraft: Sendable {
  /// Counted from 1; arguments count as lines.
  var line: Int
  /// Which of the input's sources it is from, counted from 0.
  var source = 0
  var draft: JobDraft
}

/// Jobs from the user's input, read on a thread of its own, because reading may block.
final class InputFeed: JobFeed {
  private enum State {
    case closed
    case opened(OpenedInput)
    case reading(JobSource)
  }

  /// What is known about the end while the input is read.
  private struct Progress {
    var count = 0
    var fractionRead: Double?
    var hasEnded = false
  }

  let plan: InputPlan
  private let worker: BlockingWorker
  private let kind: JobKind
  private let reading: Reading
  /// Held while a read blocks, so only the reading thread may take it.
  private let state = Lock(State.closed)
  private let progress: Lock<Progress>
  private let selection: Lock<LinkSelection>

  /// - Parameters:
  ///   - kind: What jobs are that do not say it themselves.
  ///   - reading: How documents and pages are read whose jobs do not say it themselves; each part of it counts by itself.
  ///   - selection: Which links get jobs; nil for all of them.
  init(_ plan: InputPlan, kind: JobKind, reading: Reading, selection: LinkSelection? = nil) throws {
    self.plan = plan
    worker = try BlockingWorker(name: "input")
    self.kind = kind
    self.reading = reading
    progress = Lock(Progress())
    self.selection = Lock(try selection ?? LinkSelection())
  }

  /// What was read so far and got no job.
  var leftOut: LinkSelection.LeftOut { selection.withLock { $0.leftOut } }

  /// How many jobs there are: known at the end of the input, and before it judged by how much has been read.
  var total: ProgressCounts.Total {
    progress.withLock { progress in
      if progress.hasEnded { return .exactly(progress.count) }
      guard let fraction = progress.fractionRead, fraction > 0 else { return .unknown }
      return .about(Int((Double(progress.count) / fraction).rounded()))
    }
  }

  /// Opens the input before the rows' targets are emptied, which may be what an earlier run found.
  func open(before targets: [OutputPlan.Target]) async throws {
    try await worker.run { [self] in
      try state.withLock { state throws(InputError) in
        let opened = try plan.open()
        guard !targets.contains(where: opened.isSameFile) else {
          throw InputError(plan.name, "the rows would go into this file too; give them another one")
        }
        state = .opened(opened)
      }
    }
  }

  /// The columns that all jobs carry, for an input that keeps all of its columns; reads its first row.
  func allKept() async throws -> [String] {
    try await worker.run { [self] in try state.withLock { try reading(&$0).allKept } }
  }

  func next(atMost limit: Int) async throws -> [JobDraft]? {
    try await nextPlaced(atMost: limit)?.map(\.draft)
  }

  func nextPlaced(atMost limit: Int) async throws -> [PlacedDraft]? {
    while let burst = try await worker.run({ [self] in try read(atMost: limit) }) {
      guard burst.isEmpty else { return burst }
      try Task.checkCancellation()
    }
    return nil
  }

  /// nil at the end, and nothing when all that was read is left out.
  private func read(atMost limit: Int) throws(InputError) -> [PlacedDraft]? {
    let (jobs, fractionRead) = try state.withLock { state throws(InputError) in
      var source = try reading(&state)
      let jobs = try source.nextBurst(limit: limit)
      state = .reading(source)
      return (jobs, source.fractionRead)
    }
    let known = jobs.filter { !$0.isRelative }
    selection.withLock { $0.leaveOut(relative: jobs.count - known.count) }
    let taken = try select(
      known.map { PlacedDraft(line: $0.line, source: $0.source, draft: job($0)) })
    progress.withLock { progress in
      progress.count += taken.count
      progress.fractionRead = fractionRead
      progress.hasEnded = jobs.isEmpty
    }
    return jobs.isEmpty ? nil : taken
  }

  private func select(_ jobs: [PlacedDraft]) throws(InputError) -> [PlacedDraft] {
    do throws(TooManyDistinctJobs) {
      return try selection.withLock { selection throws(TooManyDistinctJobs) in
        var taken: [PlacedDraft] = []
        for job in jobs where try selection.takes(job.draft) { taken.append(job) }
        return taken
      }
    } catch {
      let limit = ProgressLine.grouped(DistinctJobs.limit)
      throw InputError(
        plan.name, "it has more than \(limit) different links; sort it, and run without --dedupe")
    }
  }

  private func reading(_ state: inout State) throws(InputError) -> JobSource {
    let source =
      switch state {
      case .closed: try plan.jobs(of: plan.open())
      case .opened(let input): try plan.jobs(of: input)
      case .reading(let source): source
      }
    state = .reading(source)
    return source
  }

  private func job(_ draft: InputJob) -> JobDraft {
    let kind = draft.kind.flatMap(JobKind.init(name:)) ?? kind
    var defaults = Reading()
    switch kind {
    case .decode: defaults = reading
    case .title: defaults.wantsEmbed = reading.wantsEmbed
    case .unfurl, .echo, .run: break
    }
    var job = JobDraft(
      kind: kind, input: draft.url, ref: draft.ref, select: draft.select ?? defaults.select,
      require: draft.require ?? defaults.require, unwraps: draft.unwraps ?? defaults.unwraps,
      kept: draft.kept,
      refusal: draft.problem.map(Failure.init))
    job.reading.accepts = defaults.accepts
    job.origin = draft.origin
    job.reading.wantsEmbed = kind == .title && (draft.oembed ?? defaults.wantsEmbed)
    return job
  }
}

extension Failure {
  fileprivate init(_ problem: InputProblem) {
    let kind: FailureKind =
      switch problem.kind {
      case .invalidInput: .invalidInput
      case .missingInput: .missingInput
      }
    self.init(kind, at: .input, problem.message)
  }
}
