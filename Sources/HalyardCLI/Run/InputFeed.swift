import LedgerSQLite
import Links
import Pipeline
import Posix
import Roles

/// Jobs from the user's input, read on a thread of its own, because reading may block.
final class InputFeed: JobFeed {
  /// What is known about the end while the input is read.
  private struct Progress {
    var count = 0
    var fractionRead: Double?
    var hasEnded = false
  }

  let plan: InputPlan
  private let worker: BlockingWorker
  private let context: InputContext
  /// Held while a read blocks, so only the reading thread may take it.
  private let source = Lock<JobSource?>(nil)
  private let progress: Lock<Progress>
  private let selection: Lock<LinkSelection>

  /// - Parameters:
  ///   - kind: What jobs are that do not say it themselves.
  ///   - reading: How documents and pages are read whose jobs do not say it themselves; each part of it counts by itself.
  ///   - selection: Which links get jobs; nil for all of them.
  init(_ plan: InputPlan, kind: JobKind, reading: Reading, selection: LinkSelection? = nil) throws {
    self.plan = plan
    worker = try BlockingWorker(name: "input")
    context = InputContext(kind: kind, reading: reading)
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

  /// Opens the input before the rows' targets are emptied, which may be what an earlier run found. It is empty until then.
  func open(before targets: [OutputPlan.Target]) async throws {
    try await worker.run { [self] in
      try source.withLock { source throws(InputError) in
        let opened = try plan.open(context)
        guard !targets.contains(where: opened.isSameFile) else {
          throw InputError(plan.name, "the rows would go into this file too; give them another one")
        }
        source = opened
      }
    }
  }

  /// The columns that all jobs carry, for an input that keeps all of its columns; reads its first row.
  func allKept() async throws -> [String] {
    try await worker.run { [self] in
      try source.withLock { source throws(InputError) in try source?.allKept() ?? [] }
    }
  }

  func next(atMost limit: Int) async throws -> [JobDraft]? {
    while let burst = try await worker.run({ [self] in try read(atMost: limit) }) {
      guard burst.isEmpty else { return burst }
      try Task.checkCancellation()
    }
    return nil
  }

  /// nil at the end, and nothing when all that was read is left out.
  private func read(atMost limit: Int) throws(InputError) -> [JobDraft]? {
    let (jobs, fractionRead) = try source.withLock { source throws(InputError) in
      (try source?.nextBurst(limit: limit) ?? [], source?.fractionRead)
    }
    let taken = try select(jobs)
    progress.withLock { progress in
      progress.count += taken.count
      progress.fractionRead = fractionRead
      progress.hasEnded = jobs.isEmpty
    }
    return jobs.isEmpty ? nil : taken
  }

  private func select(_ jobs: [JobDraft]) throws(InputError) -> [JobDraft] {
    do throws(TooManyDistinctJobs) {
      return try selection.withLock { selection throws(TooManyDistinctJobs) in
        var taken: [JobDraft] = []
        for job in jobs where try selection.takes(job) { taken.append(job) }
        return taken
      }
    } catch {
      let limit = ProgressLine.grouped(DistinctJobs.limit)
      throw InputError(
        plan.name, "it has more than \(limit) different links; sort it, and run without --dedupe")
    }
  }
}

/// Jobs that are all there already.
final class DraftFeed: JobFeed {
  private let drafts: Lock<ArraySlice<JobDraft>>

  init(_ drafts: [JobDraft]) {
    self.drafts = Lock(drafts[...])
  }

  func next(atMost limit: Int) async throws -> [JobDraft]? {
    let taken = drafts.withLock { drafts in
      defer { drafts = drafts.dropFirst(limit) }
      return Array(drafts.prefix(limit))
    }
    return taken.isEmpty ? nil : taken
  }
}

/// The input of a durable run, compared job by job with what the ledger holds of it from an earlier attempt.
final class ResumedFeed: JobFeed {
  private let input: InputFeed
  private let run: DurableRun
  private let count = Lock<UInt64>(0)

  init(_ input: InputFeed, _ run: DurableRun) {
    self.input = input
    self.run = run
  }

  /// Fails at the first job that is not what it was: its row would answer another question.
  func next(atMost limit: Int) async throws -> [JobDraft]? {
    let first = count.withLock { $0 }
    guard let burst = try await input.next(atMost: limit) else {
      guard try await run.ledger.jobs(of: run.batch, from: first, limit: 1).isEmpty else {
        throw refusal("it has fewer links than when this run began, \(first) in all; put the others back")
      }
      return nil
    }
    let stored = try await run.ledger.jobs(of: run.batch, from: first, limit: burst.count)
    let known = Dictionary(stored.map { ($0.ordinal, $0) }) { earlier, _ in earlier }
    var drafts: [JobDraft] = []
    for (ordinal, var draft) in zip(first..., burst) {
      if let job = known[ordinal] {
        guard draft.job(of: run.batch, ordinal: ordinal, deadline: job.deadline) == job else {
          throw refusal(of: draft, was: job)
        }
        draft.isKnown = true
      }
      drafts.append(draft)
    }
    count.withLock { $0 += UInt64(burst.count) }
    return drafts
  }

  private func refusal(of draft: JobDraft, was job: Job) -> InputError {
    let place = input.plan.place(line: draft.line, source: draft.source)
    guard draft.input != job.input else {
      return refusal("\(place) has other columns or members than when this run began; put the old ones back")
    }
    let (now, before) = (Self.quote(draft.input), Self.quote(job.input))
    return refusal("\(place) is \(now), and was \(before) when this run began; put the old link back")
  }

  private func refusal(_ problem: String) -> InputError {
    InputError(input.plan.name, "\(problem), or start anew with another --ledger than \(run.ledger.path)")
  }

  private static func quote(_ input: String?) -> String {
    input.map { "'\(printableLink($0))'" } ?? "no link"
  }
}
