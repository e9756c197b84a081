import Pipeline

/// What anybody asks.
extension Aggregator {
  /// Rows are sent by and by; everything else is answered once this turn is committed, and so sees all that came
  /// before the question.
  func take(_ query: Query, _ turn: inout Turn) async {
    await switchboard.meet(query.replyTo)
    switch query.question {
    case .rows(let batch, let confirmed, let limit):
      follow(batch, query.replyTo, after: confirmed, limit: limit)
      if confirmed > 0 { turn.add(.confirmRows(batch, upTo: confirmed)) }
    case .copies(let batch, let after, let limit):
      follow(batch, query.replyTo, after: after, limit: limit)
    case .cancel(let batch, let cause):
      cancel(batch, everything: true, cause: cause, &turn)
      turn.questions.append(query)
    case .requeue(let batch):
      // What comes of it now is wanted again.
      interruptions.withdrawn(batch)
      cancelling.removeAll { $0.id == batch }
      turn.questions.append(query)
    case .status, .progress: turn.questions.append(query)
    }
  }

  private func follow(_ batch: BatchID, _ asker: Address, after number: UInt64, limit: UInt64) {
    unhurried.noteRow(at: ports.clock.now)
    followers.asked(
      for: batch, by: asker, confirmed: number, limit: limit, isSending: switchboard.isSending(to: asker))
  }

  /// A question that cannot be answered now will be asked again.
  func answer(_ questions: [Query]) async {
    for query in questions {
      do {
        if let answer = try await answer(to: query) { switchboard.add(.answer(answer), to: query.replyTo) }
      } catch {
        ports.log.record(.warning, "question not answered", [LogField("cause", "\(error)")])
      }
    }
  }

  private func answer(to query: Query) async throws -> Answer? {
    switch query.question {
    case .rows, .copies: nil
    case .status: .status(await statusReport().json)
    case .progress(let batch): .progress(of: batch, try await ledger.progress(of: batch))
    case .cancel(let batch, _):
      // Its jobs in the ledger are ended page by page; the question comes again.
      cancelling.contains { $0.id == batch }
        ? nil : .cancelled(batch, jobs: interruptions.jobsEnded(of: batch))
    case .requeue(let batch): try await requeue(batch, for: query)
    }
  }

  /// Gives the dead letters of a batch another life. Whoever asks twice is told what the first time did.
  private func requeue(_ batch: BatchID, for query: Query) async throws -> Answer {
    if let answer = answered[query] { return answer }
    var jobs: UInt64 = 0
    var last: JobID?
    while true {
      let page = try await ledger.deadJobs(of: batch, after: last, limit: Self.burst)
      guard let end = page.last else { break }
      last = end
      var turn = Turn()
      for id in page { turn.add(.requeue(id)) }
      jobs += UInt64(try await commit(turn).count { $0 == .applied })
    }
    if jobs > 0 {
      backlog.leftOut(at: ports.clock.now)
      runs.mayWait = true
    }
    let answer = Answer.requeued(batch, jobs: jobs)
    answered.keep(answer, to: query)
    return answer
  }

  /// Tells everybody who waits for rows that no more will come.
  func sayDrained() async throws {
    try await serveFollowers()
    for follower in followers.all { switchboard.add(.drain, to: follower.address) }
  }

  func serveFollowers() async throws {
    for var follower in followers.all where !follower.knowsTheEnd {
      try await sendRows(to: &follower)
      if let progress = try await ledger.progress(of: follower.batch), progress.isComplete,
        progress.rows == follower.sent
      {
        switchboard.add(.answer(.complete(follower.batch, rows: follower.sent)), to: follower.address)
        follower.knowsTheEnd = true
      }
      followers.served(follower)
    }
  }

  private func sendRows(to follower: inout Followers.Follower) async throws {
    while follower.sent < follower.limit, follower.room > 0 {
      let limit = min(Followers.chunk, Int(clamping: follower.limit - follower.sent))
      let rows = try await ledger.rows(
        of: follower.batch, after: follower.sent, limit: limit, bytes: follower.room)
      guard !rows.isEmpty else { return }
      for message in Followers.messages(of: rows) {
        let rows = Answer.rows(of: follower.batch, after: follower.sent, message)
        switchboard.add(.answer(rows), to: follower.address)
        follower.sends(message)
      }
    }
  }
}
