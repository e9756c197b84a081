import Pipeline

/// What producers ask.
extension Aggregator {
  func take(_ query: Query, _ turn: inout Turn) async {
    await switchboard.meet(query.replyTo)
    switch query.question {
    case .rows(let batch, let confirmed, let limit):
      follow(batch, query.replyTo, after: confirmed, limit: limit)
      if confirmed > 0 { turn.add(.confirmRows(batch, upTo: confirmed)) }
    case .copies(let batch, let after, let limit):
      follow(batch, query.replyTo, after: after, limit: limit)
    case .status, .progress, .requeue, .cancel: break
    }
  }

  private func follow(_ batch: BatchID, _ asker: Address, after number: UInt64, limit: UInt64) {
    unhurried.noteRow(at: ports.clock.now)
    followers.asked(for: batch, by: asker, confirmed: number, limit: limit)
  }

  /// Tells everybody who waits for rows that no more will come.
  func sayDrained() async throws {
    try await serveFollowers()
    for follower in followers.all { switchboard.add(.drain, to: follower.address) }
  }

  func serveFollowers() async throws {
    for follower in followers.all where !follower.knowsTheEnd {
      var sent = follower.sent
      while sent < follower.limit {
        let limit = min(Followers.chunk, Int(clamping: follower.limit - sent))
        let rows = try await ledger.rows(of: follower.batch, after: sent, limit: limit)
        guard let last = rows.last else { break }
        for message in Followers.messages(of: rows) {
          switchboard.add(.answer(.rows(of: follower.batch, message)), to: follower.address)
        }
        sent = last.number
      }
      followers.sent(follower, upTo: sent)
      guard let progress = try await ledger.progress(of: follower.batch), progress.isComplete,
        progress.rows == sent
      else { continue }
      switchboard.add(.answer(.complete(follower.batch, rows: sent)), to: follower.address)
      followers.toldTheEnd(follower)
    }
  }
}
