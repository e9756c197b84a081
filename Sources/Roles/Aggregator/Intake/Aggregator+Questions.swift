import JSONQuery
import Pipeline

/// Questions for rows.
extension Aggregator {
  /// Rows are sent bit by bit. A client repeats a question that has no answer yet.
  func take(_ query: Query, over secret: LaneSecret, _ transaction: inout Transaction) async {
    guard await connections.meet(query.replyTo, secret) else { return }
    switch query.question {
    case .rows(let batch, let confirmed, let limit):
      follow(batch, query.replyTo, after: confirmed, limit: limit)
      if confirmed > 0 { transaction.add(.confirmRows(batch, upTo: confirmed)) }
    case .copies(let batch, let after, let limit):
      follow(batch, query.replyTo, after: after, limit: limit, asksForEnd: true)
    case .storedRows(let batch, let after): await tellRows(of: batch, after: after, to: query.replyTo)
    }
  }

  /// A page of rows for one who exports them.
  private func tellRows(of batch: BatchID?, after place: RowPlace, to client: Address) async {
    do {
      let page = try await ledger.storedRows(
        of: batch, after: place, limit: Followers.chunk, bytes: Followers.messageBytes)
      connections.add(.answer(.storedRows(after: place, page)), to: client)
    } catch {
      ports.log.record(.warning, "question not answered", [LogField("cause", error.message)])
    }
  }

  private func follow(
    _ batch: BatchID, _ client: Address, after number: UInt64, limit: UInt64, asksForEnd: Bool = false
  ) {
    acks.note(at: ports.clock.now)
    followers.asked(
      for: batch, by: client, confirmed: number, limit: limit, isSending: connections.isSending(to: client),
      asksForEnd: asksForEnd)
  }

  /// Tells all readers of rows that no more will come.
  func sayDrained() async throws {
    followers.owe()
    while followers.areOwed { try await serveFollowers() }
    for follower in followers.all { connections.add(.drain, to: follower.address) }
  }

  /// As many as one turn can bear.
  func serveFollowers() async throws {
    for var follower in followers.next() {
      guard connections.hasLane(to: follower.address) else {
        followers.left(follower.address)
        continue
      }
      try await sendRows(to: &follower)
      if let progress = try await read({ [follower] in try await $0.progress(of: follower.batch) }),
        progress.isComplete, try await hasAll(follower, of: progress.rows)
      {
        connections.add(.answer(.complete(follower.batch, rows: follower.sent)), to: follower.address)
        follower.knowsTheEnd = true
      }
      followers.served(follower)
    }
  }

  /// Whether a follower has every row that is there. The last ones can be gone: jobs of a batch can be pruned by their state.
  private func hasAll(_ follower: Followers.Follower, of rows: UInt64) async throws -> Bool {
    if follower.sent >= rows { return follower.sent == rows }
    guard follower.room > 0, follower.sent < follower.limit else { return false }
    return try await read {
      try await $0.rows(of: follower.batch, after: follower.sent, limit: 1, bytes: follower.room)
    }
    .isEmpty
  }

  private func sendRows(to follower: inout Followers.Follower) async throws {
    while follower.sent < follower.limit, follower.room > 0 {
      let limit = min(Followers.chunk, Int(clamping: follower.limit - follower.sent))
      let rows = try await read { [follower] in
        try await $0.rows(of: follower.batch, after: follower.sent, limit: limit, bytes: follower.room)
      }
      guard !rows.isEmpty else {
        // So that a reader need not guess whether rows are only late.
        if follower.asksForEnd, follower.sent == follower.confirmed {
          connections.add(.answer(.rows(of: follower.batch, after: follower.sent, [])), to: follower.address)
          follower.asksForEnd = false
        }
        return
      }
      for message in Followers.messages(of: rows) {
        let rows = Answer.rows(of: follower.batch, after: follower.sent, message)
        connections.add(.answer(rows), to: follower.address)
        follower.sends(message)
      }
    }
  }
}

/// Questions and orders of operators.
extension Aggregator {
  /// More wait for nothing: a client that finds no room asks again.
  private static let mostWaitingAsks = 64

  /// A repeated order gets the answer of the first time, and one that came too late is dropped. Of one that takes its time
  /// the client hears that the fleet is at it.
  func take(_ ask: Ask, over secret: LaneSecret, _ transaction: inout Transaction) async {
    guard await connections.meet(ask.replyTo, secret) else { return }
    guard let entry = questions[ask.name] else { return tell(.unknown, to: ask) }
    guard entry.changes else { return await take(ask, entry, &transaction) }
    if let known = answered[ask.id] {
      connections.add(.tell(known), to: ask.replyTo)
    } else if ask.deadline == nil || chores.sweeps.contains(where: { $0.ask?.id == ask.id }) {
      connections.add(.tell(Tell(to: ask, at: ports.clock.now)), to: ask.replyTo)
      connections.flush(ask.replyTo)
    } else if !ask.isLate(at: ports.clock.now), !transaction.isChanging(for: ask),
      !committing.isChanging(for: ask)
    {
      await entry.take(self, ask, &transaction)
    }
  }

  private func take(_ ask: Ask, _ entry: QuestionTable.Entry, _ transaction: inout Transaction) async {
    guard entry.waits else {
      await entry.take(self, ask, &transaction)
      return connections.flush(ask.replyTo)
    }
    guard waitingAsks.count < Self.mostWaitingAsks, !waitingAsks.contains(ask) else { return }
    waitingAsks.append(ask)
  }

  /// Answers the first of those that wait for the commit.
  func answerWaitingAsk() async {
    guard !waitingAsks.isEmpty else { return }
    let ask = waitingAsks.removeFirst()
    var nothing = Transaction()
    await questions[ask.name]?.take(self, ask, &nothing)
  }

  func tell(_ reply: some Encodable, to ask: Ask) {
    connections.add(.tell(Tell(to: ask, at: ports.clock.now, reply)), to: ask.replyTo)
  }

  func tell(_ refusal: Tell.Refusal, to ask: Ask) {
    connections.add(.tell(Tell(to: ask, at: ports.clock.now, refusal: refusal)), to: ask.replyTo)
    connections.flush(ask.replyTo)
  }

  /// What an order came to; said again to a client that repeats it.
  func say(_ reply: some Encodable, to ask: Ask) {
    let tell = Tell(to: ask, at: ports.clock.now, reply)
    answered.keep(tell, for: tell.id)
    connections.add(.tell(tell), to: ask.replyTo)
  }
}

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

  static let all: QuestionTable = {
    var table = QuestionTable()
    table.addQuestions()
    table.addOrders()
    return table
  }()

  private mutating func addQuestions() {
    answer(StatusQuestion.self) { aggregator, question, _ in
      if question.size != nil {
        aggregator.fleetSize = (question, aggregator.registry.watched + Aggregator.fleetSizeMilliseconds)
      }
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
      // An aggregator that knows nothing of an order has started since, and does not begin anew.
      RawJSON(
        of: aggregator.chores.care.report(on: question.id, at: aggregator.ports.clock.now)
          ?? .failed(question.task, "the aggregator was restarted meanwhile; run the command again"))
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
