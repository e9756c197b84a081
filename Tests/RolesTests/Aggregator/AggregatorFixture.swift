import LedgerForwarding
import LedgerMemory
import Pipeline
import PipelineTesting
import Posix

@testable import Roles

/// Aggregators, one after another, that each hear what a test says and then die.
final class AggregatorFixture: Sendable {
  let batch = BatchID(UUIDv7(high: 2, low: 1))
  let producer = Address("inproc://producer")
  let client = Address("inproc://client")
  let ledger = MemoryLedger()
  let clock = ManualClock(isStepping: true)
  private let asked = Lock<UInt64>(1_000)
  private let transports = Lock<[RecordingTransport]>([])
  private let makeSettings: @Sendable () -> AggregatorSettings
  private let faults: LedgerFaults?
  private let log: any Log

  init(
    faults: LedgerFaults? = nil, log: any Log = NoLog(),
    settings: @escaping @Sendable () -> AggregatorSettings = { .init() }
  ) {
    (self.faults, self.log) = (faults, log)
    makeSettings = settings
  }

  /// Each burst comes a second after the one before.
  func run(_ bursts: [[Message]]) async {
    await run(deliveries: bursts.map { $0.map { .envelope(Envelope.said($0)) } })
  }

  func run(deliveries bursts: [[Delivery]]) async {
    let transport = RecordingTransport()
    transports.withLock { $0.append(transport) }
    let inbox = ScriptedInbox(Address("inproc://aggregator"), bursts) { [clock] in
      clock.advance(byMilliseconds: 1_000)
    }
    let aggregator = Aggregator(
      settings: makeSettings(), inbox: inbox,
      ledger: faults.map { LateLedger(base: ledger, faults: $0, clock: clock) } ?? ledger,
      ports: RolePorts(transport: transport, clock: clock, random: .seeded(1), log: log))
    try? await aggregator.run()
  }

  func sent(to address: Address) -> [Message] {
    transports.withLock { $0 }.flatMap { $0.sent(to: address) }
  }

  var answers: [Answer] {
    sent(to: client).compactMap { if case .answer(let answer) = $0 { answer } else { nil } }
  }

  /// The replies to orders, and to questions of this type.
  func replies<Reply: Decodable>(_ type: Reply.Type = Reply.self) -> [Reply] {
    tells.compactMap { try? $0.reply(as: type) }
  }

  var tells: [Tell] {
    sent(to: client).compactMap { if case .tell(let tell) = $0 { tell } else { nil } }
  }

  /// - Parameters:
  ///   - id: Another one each time, unless it is given.
  ///   - milliseconds: How long from now on an order is worth while.
  func ask<Question: FleetQuestion>(
    _ question: Question, id: UInt64? = nil, within milliseconds: Int64? = nil
  ) -> Message {
    let low =
      id
      ?? asked.withLock { asked in
        asked += 1
        return asked
      }
    let deadline = clock.now.advanced(byMilliseconds: milliseconds ?? 86_400_000)
    return .ask(
      Ask(
        question, replyTo: client, id: UUIDv7(high: 5, low: low),
        deadline: Question.changes ? deadline : nil))
  }

  func receipts(to address: Address? = nil) -> [Receipt] {
    sent(to: address ?? producer).compactMap { if case .receipt(let receipt) = $0 { receipt } else { nil } }
  }

  func submission(
    _ ordinals: Range<UInt64>, sequence: UInt32 = 0, total: UInt64? = nil, links scheme: String = "http",
    host: String = "a.test", from address: Address? = nil
  ) -> Message {
    let jobs = ordinals.map {
      Job(batch: batch, ordinal: $0, kind: .unfurl, input: "\(scheme)://\(host)/\($0)")
    }
    return .submit(
      Submit(batch: batch, sequence: sequence, replyTo: address ?? producer, jobs: jobs, total: total))
  }

  /// - Parameter milliseconds: How long from now on it is worth while.
  func cancel(within milliseconds: Int64? = nil) -> Message {
    ask(CancelOrder(JobChoice(batch), cause: "enough"), within: milliseconds)
  }

  func requeue(within milliseconds: Int64? = nil, of kinds: Set<FailureKind> = []) -> Message {
    ask(RequeueOrder(JobChoice(batch), of: kinds), within: milliseconds)
  }
}

/// Commits or reads that fail until it is time.
final class LedgerFaults: Sendable {
  let until: Lock<Moment?>
  /// The commits are made all the same.
  let areFalse: Bool
  /// Of dead letters and of a batch's progress; no commit fails then.
  let areOfReads: Bool

  init(until moment: Moment? = nil, areFalse: Bool = false, areOfReads: Bool = false) {
    until = Lock(moment)
    (self.areFalse, self.areOfReads) = (areFalse, areOfReads)
  }
}

private struct LateLedger: ForwardingLedger {
  /// A burst is heard in a turn of its own.
  let isInstant = true
  let base: any Ledger
  let faults: LedgerFaults
  let clock: ManualClock

  func commit(_ changes: Changes, at now: Moment) async throws(LedgerError) -> ChangesMade {
    guard !faults.areOfReads, areDue(at: now) else {
      return try await base.commit(changes, at: now)
    }
    if faults.areFalse { _ = try await base.commit(changes, at: now) }
    throw LedgerError("the disk is full", kind: .full)
  }

  func jobs(_ search: JobSearch) async throws(LedgerError) -> FoundJobs {
    try passRead()
    return try await base.jobs(search)
  }

  func progress(of batch: BatchID) async throws(LedgerError) -> BatchProgress? {
    try passRead()
    return try await base.progress(of: batch)
  }

  private func passRead() throws(LedgerError) {
    if faults.areOfReads, areDue(at: clock.now) { throw LedgerError("the disk fails", kind: .other) }
  }

  private func areDue(at now: Moment) -> Bool { faults.until.withLock { $0 }.map { now < $0 } ?? false }
}
