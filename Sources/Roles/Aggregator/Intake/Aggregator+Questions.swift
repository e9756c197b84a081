import Pipeline

/// Questions from clients.
extension Aggregator {
  /// Rows are sent bit by bit. Questions about the fleet or a batch are answered at once, not behind the commit of the
  /// transaction. Changes are answered after their commit. A client repeats a question that has no answer yet.
  func take(_ query: Query, over secret: LaneSecret, _ transaction: inout Transaction) async {
    guard await connections.meet(query.replyTo, secret) else { return }
    switch query.question {
    case .rows(let batch, let confirmed, let limit):
      follow(batch, query.replyTo, after: confirmed, limit: limit)
      if confirmed > 0 { transaction.add(.confirmRows(batch, upTo: confirmed)) }
    case .copies(let batch, let after, let limit):
      follow(batch, query.replyTo, after: after, limit: limit, asksForEnd: true)
    case .cancel(let choice, let cause):
      guard let batch = choice.wholeBatch else {
        return await begin(.cancel(cause: cause), of: choice, query)
      }
      guard isNew(query), !transaction.isChanging(for: query) else { return }
      take(cancelOf: batch, cause: cause, query, &transaction)
    case .requeue(let choice, let kinds): await begin(.requeue(kinds), of: choice, query)
    case .drain(let worker): take(drainOf: worker, query)
    case .fetchOptions:
      answer(query.replyTo, .fetchOptions(settings.handed.value(for: query.replyTo)))
    case .scale: strays.came(.query(query), "question not for an aggregator", to: ports.log)
    case .status:
      if let size = query.fleetSize {
        fleetSize = (size, ports.clock.now.advanced(byMilliseconds: Self.fleetSizeMilliseconds))
      }
      answer(query.replyTo, .status(await statusReport().json))
    case .job, .jobs, .batches: noteStoryQuestion(query)
    case .pause(let scope, let pause):
      guard isNew(query), !transaction.isChanging(for: query) else { return }
      take(query, scope, pause, &transaction)
    case .resume(let scope):
      guard isNew(query), !transaction.isChanging(for: query) else { return }
      take(query, scope, nil, &transaction)
    case .change(let batch, let terms):
      guard isNew(query), !transaction.isChanging(for: query) else { return }
      transaction.add(.terms(batch, terms), then: .changes(query, batch), for: query)
    case .progress(let batch): await tell(progressOf: batch, to: query.replyTo)
    case .care(let task, let isUnderWay): await take(care: task, isUnderWay: isUnderWay, query)
    case .storedRows(let batch, let after): await tellRows(of: batch, after: after, to: query.replyTo)
    }
  }

  private func begin(_ verb: JobSweep.Verb, of choice: JobChoice, _ query: Query) async {
    guard isNew(query) || sweeps.contains(where: { $0.query == query }) else { return }
    await take(choice, verb, query)
  }

  /// Whether a wish is to be fulfilled. A repeated one gets the answer of the first time. One that came too late is
  /// dropped: its client has already reported that nothing was done.
  private func isNew(_ query: Query) -> Bool {
    if let answer = answered[query] {
      connections.add(.answer(answer), to: query.replyTo)
      return false
    }
    return !query.isLate(at: ports.clock.now)
  }

  private func answer(_ client: Address, _ answer: Answer) {
    connections.add(.answer(answer), to: client)
    connections.flush(client)
  }

  func tell(progressOf batch: BatchID, to client: Address) async {
    do {
      var progress = try await ledger.progress(of: batch)
      if progress?.isComplete == false { progress?.pause = try await pause(before: batch) }
      let (now, isClosed) = (ports.clock.now, progress?.total != nil)
      progress?.hasNoProducer = !isClosed && lacksProducer(batch, at: now)
      answer(client, .progress(of: batch, progress, at: now))
    } catch {
      ports.log.record(.warning, "question not answered", [.batch(batch), LogField("cause", "\(error)")])
    }
  }

  private func follow(
    _ batch: BatchID, _ client: Address, after number: UInt64, limit: UInt64, asksForEnd: Bool = false
  ) {
    acks.noteRow(at: ports.clock.now)
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
