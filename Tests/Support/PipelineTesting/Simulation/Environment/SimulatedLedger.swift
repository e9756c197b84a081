import LedgerForwarding
import LedgerMemory
import Pipeline
import Posix

/// How often a ledger does what it should not, from 0 to 1 for each commit or read.
struct SimulatedLedgerFaults: Sendable {
  var crashBefore = 0.0
  var crashAfter = 0.0
  /// The aggregator dies when some of what follows from the commit is said.
  var crashWhileSaying = 0.0
  /// Nothing is committed, and it can be tried again.
  var refusal = 0.0
  /// It is committed, and the caller is told that it is not.
  var falseAlarm = 0.0
  /// A commit takes long.
  var slow = 0.0
  /// A read fails, and can be tried again.
  var readRefusal = 0.0
  /// It does not look whose a commit is. This is a fault to be found, and none that anything has to live with.
  var isUnfenced = false

  var mayHoldUp: Bool { refusal > 0 || readRefusal > 0 || falseAlarm > 0 || slow > 0 }
}

/// What became of each job in the ledger, over all aggregators.
final class LedgerBook: Sendable {
  struct Counts: Sendable {
    var grants = 0
    var retries = 0
    var returns = 0
    var crashes = 0
  }

  /// Calls of runs, and when what happened to them, in the order of all events.
  struct Calls: Sendable {
    var jobs: [JobID: Job] = [:]
    var events = 0
    /// When the last lease on each was granted, or else when it was made.
    var lastBegun: [JobID: Int] = [:]
    /// When each job was over, runs among them.
    var ended: [JobID: Int] = [:]
  }

  private let counts = Lock<[JobID: Counts]>([:])
  private let madeCalls = Lock(Calls())
  private let noted = Lock(LateGrants())
  private let shared = Lock(SharedGrants())
  private let epoch = Lock<UInt64>(0)
  let rules: Lock<SimulatedLedgerFaults>

  init(_ rules: SimulatedLedgerFaults) {
    self.rules = Lock(rules)
  }

  subscript(_ job: JobID) -> Counts { counts.withLock { $0[job, default: Counts()] } }

  var calls: Calls { madeCalls.withLock { $0 } }
  var lateGrants: LateGrants { noted.withLock { $0 } }
  var sharedGrants: SharedGrants { shared.withLock { $0 } }

  var total: Counts {
    counts.withLock { counts in
      counts.values.reduce(into: Counts()) { total, each in
        total.grants += each.grants
        total.retries += each.retries
        total.returns += each.returns
        total.crashes += each.crashes
      }
    }
  }

  func clearUp() {
    rules.withLock { $0 = SimulatedLedgerFaults() }
  }

  func began(_ term: LedgerTerm) { epoch.withLock { $0 = max($0, term.epoch) } }

  /// Of the last takeover.
  var newestEpoch: UInt64 { epoch.withLock { $0 } }

  func note(_ events: [LedgerEvent], _ answers: [LedgerAnswer], at now: Moment) {
    madeCalls.withLock { calls in
      for (event, answer) in zip(events, answers) { calls.note(event, answer) }
    }
    noted.withLock { $0.note(events, answers) }
    shared.withLock { $0.note(events, answers, at: now) }
    counts.withLock { counts in
      for (event, answer) in zip(events, answers) where answer == .applied {
        switch event {
        case .grant(let id, _, to: _): counts[id, default: Counts()].grants += 1
        case .retry(let id, _, at: _, cause: _): counts[id, default: Counts()].retries += 1
        case .giveBack(let id, _): counts[id, default: Counts()].returns += 1
        case .crash(let id, _): counts[id, default: Counts()].crashes += 1
        case .absolve(let id, from: _): counts[id, default: Counts()].crashes -= 1
        case .submit, .close, .settle, .becameDue, .confirmRows, .requeue, .seen, .cancel, .resume, .abandon,
          .terms, .pause, .unpause:
          break
        }
      }
    }
  }
}

extension LedgerBook.Calls {
  fileprivate mutating func note(_ event: LedgerEvent, _ answer: LedgerAnswer) {
    events += 1
    switch event {
    case .submit(let jobs, hosts: _, links: _, from: _):
      for job in jobs where job.batch.isOfCalls && self.jobs[job.id] == nil {
        self.jobs[job.id] = job
        lastBegun[job.id] = events
      }
    case .grant(let id, _, to: _) where answer == .applied && jobs[id] != nil: lastBegun[id] = events
    case .settle(let settlement) where answer == .applied: ended[settlement.job] = events
    case .grant, .settle, .retry, .giveBack, .crash, .absolve, .close, .becameDue, .confirmRows, .requeue,
      .seen, .cancel, .resume, .abandon, .terms, .pause, .unpause:
      break
    }
  }
}

/// The ledger that outlives every aggregator, as one of them sees it.
struct SimulatedLedger: ForwardingLedger {
  let store: MemoryLedger
  let book: LedgerBook
  let process: SimulatedProcess
  let chance: SimulatedChance
  let trace: SimulatedTrace
  /// Arms the death of the process after so many more messages.
  let dieAfter: @Sendable (Int) -> Void

  var base: any Ledger {
    get throws(LedgerError) {
      try checkAlive()
      if chance.happens(book.rules.withLock({ $0.readRefusal })) {
        throw LedgerError("the disk cannot be read", kind: .locked)
      }
      return store
    }
  }

  func takeOver(
    as holder: UUIDv7, at now: Moment, longestPause: Int64
  ) async throws(LedgerError) -> Inheritance {
    let left = try await base.takeOver(as: holder, at: now, longestPause: longestPause)
    book.began(left.term)
    return left
  }

  func commit(_ changes: Changes, at now: Moment) async throws(LedgerError) -> ChangesMade {
    let rules = book.rules.withLock { $0 }
    let wait = chance.happens(rules.slow) ? chance.within(50...3_000) : chance.within(0...3)
    try? await SimulatedClock(process: process).sleep(until: now.advanced(byMilliseconds: wait))
    try checkAlive()
    if chance.happens(rules.refusal) { throw LedgerError("the disk is full", kind: .full) }
    if chance.happens(rules.crashBefore) { try die("killed before a commit") }
    // A batch's rows are kept: a second run wants all of them.
    var kept = changes
    kept.batches = changes.batches.map { change in
      if case .confirmRows(let batch, upTo: _) = change { .confirmRows(batch, upTo: 0) } else { change }
    }
    if rules.isUnfenced { kept.term = await store.owner().term }
    let made = try await store.commit(kept, at: now)
    if changes.term.epoch < book.newestEpoch {
      trace.complain("\(process.name) committed in epoch \(changes.term.epoch), which is over")
    }
    let events = kept.events(made)
    book.note(events.map(\.event), events.map(\.answer), at: now)
    trace.record("committed", process.name, Int64(events.count))
    for case (.crash(let job, _), .applied) in events.map({ ($0.event, $0.answer) }) {
      trace.record("charged with a death: job", process.name, Int64(job.ordinalBits))
    }
    if chance.happens(rules.crashAfter) { try die("killed after a commit") }
    if chance.happens(rules.falseAlarm) {
      trace.record("told that nothing was committed", process.name)
      throw LedgerError("the connection broke", kind: .unreachable)
    }
    if chance.happens(rules.crashWhileSaying) { dieAfter(chance.below(6)) }
    return made
  }

  private func checkAlive() throws(LedgerError) {
    guard process.isAlive else { throw LedgerError("this process is dead", kind: .corrupt) }
  }

  private func die(_ how: StaticString) throws(LedgerError) -> Never {
    trace.record(how, process.name)
    process.kill()
    throw LedgerError("this process is dead", kind: .corrupt)
  }
}
