import LedgerSQLite
import Links
import Pipeline
import Posix
import Roles

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
    guard let burst = try await input.nextPlaced(atMost: limit) else {
      guard try await run.ledger.jobs(of: run.batch, from: first, limit: 1).isEmpty else {
        throw refusal("it has fewer links than when this run began, \(first) in all; put the others back")
      }
      return nil
    }
    let stored = try await run.ledger.jobs(of: run.batch, from: first, limit: burst.count)
    let known = Dictionary(stored.map { ($0.ordinal, $0) }) { earlier, _ in earlier }
    var drafts: [JobDraft] = []
    for (ordinal, placed) in zip(first..., burst) {
      var draft = placed.draft
      if let job = known[ordinal] {
        guard draft.job(of: run.batch, ordinal: ordinal, deadline: job.deadline) == job else {
          throw refusal(of: placed, was: job)
        }
        draft.isKnown = true
      }
      drafts.append(draft)
    }
    count.withLock { $0 += UInt64(burst.count) }
    return drafts
  }

  private func refusal(of placed: InputJob, was job: Job) -> InputError {
    let place = input.plan.place(line: placed.line, source: placed.source)
    guard placed.draft.input != job.input else {
      return refusal("\(place) has other columns or members than when this run began; put the old ones back")
    }
    let (now, before) = (Self.quote(placed.draft.input), Self.quote(job.input))
    return refusal("\(place) is \(now), and was \(before) when this run began; put the old link back")
  }

  private func refusal(_ problem: String) -> InputError {
    InputError(input.plan.name, "\(problem), or start anew with another --ledger than \(run.ledger.path)")
  }

  private static func quote(_ input: String?) -> String {
    input.map { "'\(printableLink($0))'" } ?? "no link"
  }
}
