import Pipeline
import Posix
import Roles

/// A job and where it stands in the input.
struct PlacedDraft: Sendable {
  /// Counted from 1; arguments count as lines.
  var line: Int
  var draft: JobDraft
}

/// Jobs from the user's input, read on a thread of its own, because reading may block.
final class InputFeed: JobFeed {
  private struct State {
    /// nil until the first job is asked for: opening may block.
    var source: JobSource?
    var count = 0
    var hasEnded = false
  }

  let plan: InputPlan
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

  /// How many jobs there are; nil while more may come.
  var total: Int? {
    state.withLock { $0.hasEnded ? $0.count : nil }
  }

  func next(atMost limit: Int) async throws -> [JobDraft]? {
    try await nextPlaced(atMost: limit)?.map(\.draft)
  }

  func nextPlaced(atMost limit: Int) async throws -> [PlacedDraft]? {
    try await worker.run { [self] in try read(atMost: limit) }
  }

  private func read(atMost limit: Int) throws(InputError) -> [PlacedDraft]? {
    try state.withLock { state throws(InputError) in
      var source = if let opened = state.source { opened } else { try plan.open() }
      let drafts = try source.nextBurst(limit: limit)
      state.source = source
      state.count += drafts.count
      state.hasEnded = drafts.isEmpty
      return drafts.isEmpty ? nil : drafts.map { PlacedDraft(line: $0.line, draft: job($0)) }
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
