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
