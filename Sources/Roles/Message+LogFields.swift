internal import HalyardConcurrency
package import Pipeline

extension Message {
  /// What a message is about, for a log line that names it.
  var logFields: [LogField] {
    switch self {
    case .hello(let hello): [.worker(hello.worker)]
    case .credit(let credit): [.worker(credit.from)]
    case .bye(let bye): [.worker(bye.worker)]
    case .submit(let submit): [.batch(submit.batch)]
    case .receipt(let receipt): [.batch(receipt.batch)]
    case .job(let order): Self.fields(of: order)
    case .document(let document): Self.fields(of: document.order)
    case .result(let result): [.job(result.job), .lease(result.lease.token), .worker(result.sender)]
    case .ack(let ack): Self.fields(of: ack.tokens)
    case .giveBack(let giveBack): Self.fields(of: giveBack.tokens) + [.worker(giveBack.from)]
    case .cancel(let cancel):
      switch cancel.scope {
      case .leases(let tokens): Self.fields(of: tokens)
      case .waiting(let batch), .all(let batch), .jobs(of: let batch, _): [.batch(batch)]
      }
    case .query(let query):
      switch query.question {
      case .rows(of: let batch, _, _), .copies(of: let batch, _, _): [.batch(batch)]
      case .storedRows(of: let batch, _): batch.map { [.batch($0)] } ?? []
      }
    case .ask(let ask): [LogField("question", ask.name)]
    case .answer(.rows(of: let batch, _, _)), .answer(.complete(let batch, _)): [.batch(batch)]
    case .answer(.storedRows): []
    case .tell(let tell): [LogField("question", tell.name)]
    case .hostSlotRequest(let request): [.lease(request.token), .worker(request.from)]
    case .hostSlotGrant(let grant): [.lease(grant.token)]
    case .roster, .drain: []
    }
  }

  /// A line that names one of many would be taken to be about that one alone.
  private static func fields(of tokens: [LeaseToken]) -> [LogField] {
    tokens.count == 1 ? tokens.map(LogField.lease) : []
  }

  private static func fields(of order: JobOrder) -> [LogField] {
    [.job(order.job.id), .batch(order.job.batch), .lease(order.lease.token)]
  }
}

/// Messages that are for another role. A peer can send any number of them.
struct StrayMessages: Sendable {
  private var count: UInt64 = 0

  /// Tells of the first one, and whenever there are twice as many.
  mutating func came(
    _ message: Message, _ line: StaticString, at level: LogLevel = .warning, to log: any Log
  ) {
    count += 1
    guard count.nonzeroBitCount == 1 else { return }
    log.record(level, line, message.logFields + [LogField("times", count)])
  }
}

/// A dictionary's own order differs from process to process. Where it would decide what is sent or tried first, the keys
/// decide, so that the same things in the same order lead to the same.
extension Dictionary where Key: Comparable {
  var inOrder: [(key: Key, value: Value)] { sorted { $0.key < $1.key } }
}

extension Transport {
  /// Binds an inbox while `body` runs.
  package func withInbox<Answer>(
    at address: Address, _ body: (any Inbox) async throws -> Answer
  ) async throws -> Answer {
    let inbox = try await bind(address)
    return try await withCleanup {
      try await body(inbox)
    } cleanup: {
      await inbox.close()
    }
  }
}
