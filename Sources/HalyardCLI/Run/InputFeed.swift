import Pipeline
import Posix
import Roles

/// Jobs from the user's input, read on a thread of its own, because reading may block.
final class InputFeed: JobFeed {
  private struct State {
    /// nil until the first job is asked for: opening may block.
    var source: JobSource?
    var count = 0
    var hasEnded = false
  }

  private let plan: InputPlan
  private let worker: BlockingWorker
  private let kind: JobKind
  private let select: String?
  private let state: Lock<State>

  /// - Parameters:
  ///   - kind: What jobs are that do not say it themselves.
  ///   - select: What to select for jobs that do not say it themselves.
  init(_ plan: InputPlan, kind: JobKind, select: String?) throws {
    self.plan = plan
    worker = try BlockingWorker(name: "input")
    self.kind = kind
    self.select = select
    state = Lock(State())
  }

  /// How many jobs there are: known at the end of the input, and before it judged by how much has been read.
  var total: ProgressCounts.Total {
    state.withLock { state in
      if state.hasEnded { return .exactly(state.count) }
      guard let fraction = state.source?.fractionRead, fraction > 0 else { return .unknown }
      return .about(Int((Double(state.count) / fraction).rounded()))
    }
  }

  func next(atMost limit: Int) async throws -> [JobDraft]? {
    try await worker.run { [self] in try read(atMost: limit) }
  }

  private func read(atMost limit: Int) throws(InputError) -> [JobDraft]? {
    try state.withLock { state throws(InputError) in
      var source = if let opened = state.source { opened } else { try plan.open() }
      let drafts = try source.nextBurst(limit: limit)
      state.source = source
      state.count += drafts.count
      state.hasEnded = drafts.isEmpty
      return drafts.isEmpty ? nil : drafts.map(job)
    }
  }

  private func job(_ draft: InputJob) -> JobDraft {
    let kind = draft.kind.flatMap(JobKind.init(name:)) ?? kind
    return JobDraft(
      kind: kind, input: draft.url, ref: draft.ref, select: draft.select ?? (kind == .decode ? select : nil),
      kept: draft.kept, refusal: draft.problem.map(Failure.init))
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
