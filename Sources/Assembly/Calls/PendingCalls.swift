import Pipeline
import Roles

/// Why a call has no row.
package enum CallFailure: Error, Sendable {
  case tooMany(Int)
  case cancelledByCaller
  case shutDown
  /// What the calls were done by ended so.
  case ended(any Error)
}

/// Which of the calls that wait go first.
package enum CallPriority: Int, CaseIterable, Sendable {
  case low
  case normal
  case high
}

/// Which calls wait for their turn, and which are jobs by now. A pure value: its owner calls back once the lock is free.
package struct PendingCalls: Sendable {
  /// Called exactly once, by the code that takes a call out of here.
  package typealias Answer = @Sendable (Result<[UInt8], CallFailure>) -> Void

  struct Call: Sendable {
    var draft: JobDraft
    var answer: Answer
    /// The job's place in the batch; nil while it waits.
    var ordinal: UInt64?
  }

  private var calls: [UInt64: Call] = [:]
  /// Tickets of those that wait, by priority; cancelled calls stand there too, until their turn has come.
  private var waiting: [CallPriority: FIFO<UInt64>] = [:]
  private var tickets: [UInt64: UInt64] = [:]
  private var lastTicket: UInt64 = 0
  private var nextOrdinal: UInt64 = 0
  private var isOver = false
  private let limit: Int

  /// - Parameter limit: Calls at a time.
  init(limit: Int) {
    self.limit = limit
  }

  /// What becomes of a call.
  enum Admission: Sendable {
    case accepted(ticket: UInt64)
    /// There are too many.
    case full
    /// It came too late.
    case ended
  }

  var count: Int { calls.count }

  mutating func add(
    _ draft: JobDraft, _ priority: CallPriority, _ answer: @escaping Answer
  ) -> Admission {
    guard !isOver else { return .ended }
    guard calls.count < limit, waiting.values.reduce(0, { $0 + $1.count }) < limit else { return .full }
    lastTicket += 1
    calls[lastTicket] = Call(draft: draft, answer: answer)
    waiting[priority, default: FIFO()].append(lastTicket)
    return .accepted(ticket: lastTicket)
  }

  /// The jobs that calls become, the most urgent first and then in their order; who was cancelled meanwhile becomes none.
  mutating func submit(atMost limit: Int) -> [JobDraft] {
    var drafts: [JobDraft] = []
    for priority in CallPriority.allCases.reversed() {
      while drafts.count < limit, let ticket = waiting[priority]?.popFirst() {
        guard let draft = calls[ticket]?.draft else { continue }
        calls[ticket]?.ordinal = nextOrdinal
        tickets[nextOrdinal] = ticket
        nextOrdinal += 1
        drafts.append(draft)
      }
    }
    return drafts
  }

  /// The caller gave up.
  ///
  /// - Returns: The call, which is to be answered and let go once the lock is free: its answer may hold the last client.
  mutating func cancel(_ ticket: UInt64) -> Call? {
    guard let call = calls.removeValue(forKey: ticket) else { return nil }
    if let ordinal = call.ordinal { tickets[ordinal] = nil }
    return call
  }

  /// The row of a job has come.
  ///
  /// - Returns: Who is to be told; nil when the caller gave up.
  mutating func settle(_ ordinal: UInt64) -> Answer? {
    tickets.removeValue(forKey: ordinal).flatMap { calls.removeValue(forKey: $0)?.answer }
  }

  /// Nothing more will come.
  ///
  /// - Returns: Who is to be told so.
  mutating func end() -> [Answer] {
    isOver = true
    defer {
      calls = [:]
      tickets = [:]
      waiting = [:]
    }
    return calls.sorted { $0.key < $1.key }.map(\.value.answer)
  }
}
