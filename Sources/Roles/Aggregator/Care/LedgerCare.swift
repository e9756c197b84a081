import JSONQuery
package import Pipeline

/// What is done with the ledger for clients, and for the fleet itself, one after another. A pure value.
struct LedgerCare: Sendable {
  /// More wait for nothing.
  static let most = 16
  /// A command asks every second how far it is; without it the work ends.
  private static let silenceMilliseconds: Int64 = 20_000

  private(set) var works: [LedgerTaskRun] = []
  /// The last ones that are over.
  private var ended: [LedgerTaskRun] = []
  private var nextStep: Moment?
  /// What the ledger took when it was looked at last.
  var size: LedgerSize?

  var next: Moment? { works.isEmpty ? nil : nextStep ?? Moment(unixMilliseconds: .min) }

  /// nil when nothing is to be done now.
  func due(at now: Moment) -> LedgerTaskRun? { next.map { $0 <= now } ?? false ? works.first : nil }

  /// How far what was asked for is; nil when it is not known.
  mutating func report(on id: UUIDv7, at now: Moment) -> LedgerReport? {
    guard let index = works.firstIndex(where: { $0.id == id }) else {
      return ended.first { $0.id == id }?.report
    }
    works[index].askedAt = now
    return works[index].report
  }

  mutating func begin(_ run: LedgerTaskRun) {
    works.append(run)
  }

  /// Clients could not ask until now, because the ledger did not work.
  mutating func excuseAll(at now: Moment) {
    for index in works.indices where works[index].askedAt != nil { works[index].askedAt = now }
  }

  /// Ends works whose commands are gone.
  ///
  /// - Returns: The one that was under way; those behind it have begun nothing.
  mutating func dropUnasked(at now: Moment) -> LedgerTaskRun? {
    let first = works.first
    works.removeAll { $0.askedAt.map { now.milliseconds(since: $0) > Self.silenceMilliseconds } ?? false }
    return first?.id == works.first?.id ? nil : first
  }

  /// The first took a step.
  mutating func stepped(_ run: LedgerTaskRun, microseconds: Int64, at now: Moment, isQuiet: Bool) {
    nextStep = CarePace.next(after: microseconds, at: now, isQuiet: isQuiet, isWaiting: run.isWaiting)
    guard let askedAt = works.first.map(\.askedAt) else { return }
    works[0] = run
    works[0].askedAt = askedAt
    guard run.isOver else { return }
    ended.append(works.removeFirst())
    if ended.count > Self.most { ended.removeFirst() }
  }
}

/// Care of the ledger while jobs run: the aggregator is the only process that may touch it.
extension Aggregator {
  /// Begins with it when it is its turn.
  func take(_ order: CareOrder, _ ask: Ask) {
    guard chores.care.works.count < LedgerCare.most else {
      let cause = "\(LedgerCare.most) such commands wait already; try again when they are done"
      return say(LedgerReport.failed(order.task, cause), to: ask)
    }
    var run = LedgerTaskRun(order.task, id: ask.id, at: ports.clock.now)
    run.askedAt = ports.clock.now
    chores.care.begin(run)
    say(run.report, to: ask)
  }

  func sizeReport() async -> RawJSON {
    do {
      return RawJSON(of: LedgerSizeReport(try await measure()))
    } catch {
      return RawJSON(of: LedgerReport.failed(.size, error.message))
    }
  }

  func measure() async throws(LedgerError) -> LedgerSize {
    let size = try await listening { [ledger] () throws(LedgerError) in try await ledger.size() }
    chores.care.size = size
    return size
  }

  /// Takes one step of what is to be done. Also while nothing can be committed: a prune makes room.
  ///
  /// - Parameter listens: To what comes meanwhile. Not while a commit waits for its next try, which listens itself.
  func careForLedger(at now: Moment, listens: Bool = true) async {
    if let gone = chores.care.dropUnasked(at: now), gone.task == .copy { await ledger.endCopy() }
    guard let due = chores.care.due(at: now) else { return }
    let began = ports.clock.microseconds
    let step = { @Sendable [ledger, term] () async throws(LedgerError) -> LedgerTaskRun in
      var run = due
      await run.step(on: ledger, under: term)
      return run
    }
    guard let run = try? await listens ? listening(during: step) : step() else { return }
    if run.tookReserve { reserveIsGivenUp() }
    tell(run.gone)
    chores.care.stepped(
      run, microseconds: ports.clock.microseconds - began, at: ports.clock.now, isQuiet: dispatcher.isQuiet)
    if run.isOver { await ended(run) }
  }

  private func ended(_ run: LedgerTaskRun) async {
    switch run.task {
    case .copy: await ledger.endCopy()
    case .forget where run.onlyCounts: return
    case .forget:
      await forgot()
      if health.nextLook != nil { health.nextLook = ports.clock.now }
      if health.standing.isReserveGivenUp { beginShrinking() }
    case .size, .shrink: break
    }
    _ = try? await measure()
    switch run.report.state {
    case .working: break
    case .done: ports.log.record(.info, "ledger cared for", run.report.logFields)
    case .failed:
      ports.log.record(
        .warning, "ledger not cared for",
        [LogField("verb", run.report.verb), LogField("cause", run.report.cause ?? "")])
    }
  }

  func beginShrinking() {
    let now = ports.clock.now
    chores.care.begin(LedgerTaskRun(.shrink, id: ports.random.uuid(at: now), at: now))
  }

  /// What memory knows of batches that may be gone.
  func forgot() async {
    (sharing.isStale, hasNewJobs) = (true, true)
    try? await learnCancellations()
  }
}

extension LedgerReport {
  fileprivate var logFields: [LogField] {
    [LogField("verb", verb)] + (jobs.map { [LogField("jobs", $0)] } ?? [])
      + (bytes.map { [LogField("bytes", $0)] } ?? [])
  }
}

/// Something that is done with a ledger, in steps short enough to stand between two commits.
package struct LedgerTaskRun: Sendable {
  /// Jobs of a step: some milliseconds.
  static let jobs = 250
  /// Bytes that a step gives back.
  private static let bytes: Int64 = 1 << 20

  package let task: LedgerTask
  package private(set) var report: LedgerReport
  /// The disk has to be waited for.
  package private(set) var isWaiting = false
  /// Batches of which the last step left nothing.
  package private(set) var gone: [LedgerBatch] = []
  /// That of the client's order.
  let id: UUIDv7
  /// When its client asked last how far it is; nil for what the aggregator does by itself.
  var askedAt: Moment?
  private let startedAt: Moment
  private var place: RowPlace?

  /// - Parameter id: Tells two copies apart.
  package init(_ task: LedgerTask, id: UUIDv7, at now: Moment) {
    self.task = task
    self.id = id
    startedAt = now
    report = LedgerReport(of: task)
  }

  /// Its last step had the reserve given up.
  private(set) var tookReserve = false

  package var isOver: Bool { report.state != .working }

  /// It changes nothing, and takes no room.
  var onlyCounts: Bool { if case .forget(let choice, _) = task { choice.onlyCounts } else { false } }

  package mutating func step(on ledger: any Ledger, under term: LedgerTerm) async {
    tookReserve = false
    do throws(LedgerError) {
      switch task {
      case .size: report.state = .done
      case .copy: try await copy(ledger)
      case .forget(let choice, let age):
        do {
          try await forget(choice, age, ledger, term)
        } catch {
          // What makes room needs some.
          guard error.kind == .full, try await ledger.giveUpReserve() else { throw error }
          tookReserve = true
          try await forget(choice, age, ledger, term)
        }
      case .shrink: try await shrink(ledger)
      }
    } catch {
      report.fail(error.message)
    }
  }

  private mutating func copy(_ ledger: any Ledger) async throws(LedgerError) {
    let step = try await ledger.copy(id)
    (report.bytes, report.total, report.path) = (step.bytes, step.total, step.path)
    isWaiting = step.isWaiting
    if step.path != nil { report.state = .done }
  }

  private mutating func forget(
    _ choice: ForgettingChoice, _ age: Int64, _ ledger: any Ledger, _ term: LedgerTerm
  ) async throws(LedgerError) {
    // One millisecond more: also what ended at this moment is over.
    let before = startedAt.advanced(byMilliseconds: age > 0 ? -age : 1)
    let step = try await ledger.forget(
      .chosen(choice), before: before, from: place, limit: Self.jobs, under: term)
    report.jobs = (report.jobs ?? 0) + step.jobs
    (place, gone) = (step.next, step.gone)
    if step.next == nil { report.state = .done }
  }

  private mutating func shrink(_ ledger: any Ledger) async throws(LedgerError) {
    let step = try await ledger.shrink(bytes: Self.bytes)
    report.bytes = (report.bytes ?? 0) + step.bytes
    report.total = step.total
    // A file that another program made may keep its free room.
    if step.total == 0 || step.bytes == 0 { report.state = .done }
  }
}
