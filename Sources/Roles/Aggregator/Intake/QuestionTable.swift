import JSONQuery
import Pipeline
import Scheduling

/// What an aggregator answers, by name.
struct QuestionTable: Sendable {
  struct Entry: Sendable {
    let changes: Bool
    let right: LaneRights
    /// It is answered behind the commit, one in a turn: each reads from the ledger, and nothing is to wait for many of them.
    let waits: Bool
    let take: @Sendable (isolated Aggregator, Ask, inout Transaction) async -> Void
  }

  private var entries: [String: Entry] = [:]

  subscript(name: String) -> Entry? { entries[name] }

  /// What the sender of such a question has to be.
  func right(of name: String) -> LaneRights { entries[name]?.right ?? .client }

  /// A question, whose reply is there at once. One that cannot be answered is asked again.
  mutating func answer<Question: FleetQuestion>(
    _ type: Question.Type, afterCommit waits: Bool = false,
    _ reply: @escaping @Sendable (isolated Aggregator, Question, Ask) async throws -> Question.Reply
  ) {
    add(type, waits: waits) { aggregator, question, ask, _ in
      do {
        aggregator.tell(try await reply(aggregator, question, ask), to: ask)
      } catch {
        aggregator.ports.log.record(
          .warning, "question not answered", [LogField("question", ask.name), LogField("cause", "\(error)")])
      }
    }
  }

  /// An order, whose reply is said when it is carried out.
  mutating func carryOut<Order: FleetQuestion>(
    _ type: Order.Type,
    _ body: @escaping @Sendable (isolated Aggregator, Order, Ask, inout Transaction) async -> Void
  ) {
    add(type, waits: false, body)
  }

  private mutating func add<Question: FleetQuestion>(
    _ type: Question.Type, waits: Bool,
    _ body: @escaping @Sendable (isolated Aggregator, Question, Ask, inout Transaction) async -> Void
  ) {
    entries[Question.name] = Entry(changes: Question.changes, right: Question.right, waits: waits) {
      aggregator, ask, transaction in
      guard let question = ask.question(as: type) else { return aggregator.tell(.unreadable, to: ask) }
      await body(aggregator, question, ask, &transaction)
    }
  }
}

extension QuestionTable {
  static let all: QuestionTable = {
    var table = QuestionTable()
    table.addQuestions()
    table.addOrders()
    return table
  }()

  private mutating func addQuestions() {
    answer(StatusQuestion.self) { aggregator, question, _ in
      if question.size != nil { aggregator.noteFleetSize(question) }
      return RawJSON(await aggregator.status().status.json)
    }
    answer(ProgressQuestion.self) { aggregator, question, _ in
      guard var progress = try await aggregator.ledger.progress(of: question.batch) else { return nil }
      if !progress.isComplete { progress.pause = try await aggregator.pause(before: question.batch) }
      progress.hasNoProducer =
        progress.total == nil && aggregator.lacksProducer(question.batch, at: aggregator.ports.clock.now)
      progress.isCancelled = aggregator.interruptions[question.batch] != nil
      progress.lineage = aggregator.dispatcher.leaseKey.lineage
      return progress
    }
    answer(FetchOptionsQuestion.self) { aggregator, _, ask in
      aggregator.settings.handed.value(for: ask.replyTo)
    }
    answer(JobQuestion.self, afterCommit: true) { aggregator, question, _ in
      try await aggregator.story(of: question.job)
    }
    answer(JobListing.self, afterCommit: true) { aggregator, listing, _ in
      try await aggregator.list(listing)
    }
    answer(BatchSearch.self, afterCommit: true) { aggregator, search, _ in
      try await aggregator.list(search)
    }
    answer(LedgerSizeQuestion.self, afterCommit: true) { aggregator, _, _ in
      await aggregator.sizeReport()
    }
    answer(CareQuestion.self) { aggregator, question, _ in
      RawJSON(of: aggregator.careReport(on: question))
    }
  }

  private mutating func addOrders() {
    carryOut(CareOrder.self) { aggregator, order, ask, _ in aggregator.take(order, ask) }
    carryOut(CancelOrder.self) { $0.take($1, $2, &$3) }
    carryOut(RequeueOrder.self) { aggregator, order, ask, _ in
      aggregator.chores.sweeps.append(
        JobSweep(.choice(order.choice, from: nil), .requeue(Set(order.kinds)), for: ask))
    }
    carryOut(PauseOrder.self) { $0.take($1, $2, &$3) }
    carryOut(ChangeOrder.self) { _, order, ask, transaction in
      transaction.add(.terms(order.batch, order.terms), for: ask)
    }
    carryOut(DrainOrder.self) { aggregator, order, ask, _ in aggregator.take(order, ask) }
  }
}
