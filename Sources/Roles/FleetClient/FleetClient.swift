import JSONQuery
package import Pipeline

/// The fleet did not answer in time.
package struct FleetSilent: Error, Hashable, Sendable {
  package var address: Address
  package var milliseconds: Int64
  /// Why it does not let this process in, when that is known.
  package var refusal: String?
  /// The run directory in which it was looked for.
  package var directory: String?

  package init(address: Address, milliseconds: Int64, refusal: String? = nil) {
    (self.address, self.milliseconds, self.refusal) = (address, milliseconds, refusal)
  }
}

/// A change that was asked for is not confirmed: it may have been made, or will not be any more.
package struct ChangeUnconfirmed: Error, Hashable, Sendable {
  package var silence: FleetSilent
}

/// The fleet does not know the question, or not in this form: it is of another version.
package struct QuestionRefused: Error, Hashable, Sendable {
  package var name: String
  package var refusal: Tell.Refusal
}

/// Asks a fleet's aggregator, and asks again until it answers. One question at a time.
package actor FleetClient {
  private let inbox: any Inbox
  let aggregator: Address
  let ports: RolePorts
  private let timeout: @Sendable () -> Int64
  private(set) var outbox: Outbox?

  /// - Parameters:
  ///   - inbox: Bound already; the answers come there.
  ///   - timeoutMilliseconds: How long an answer may take; looked at for each question.
  package init(
    inbox: any Inbox, aggregator: Address, ports: RolePorts,
    timeoutMilliseconds: @autoclosure @escaping @Sendable () -> Int64
  ) {
    self.inbox = inbox
    self.aggregator = aggregator
    self.ports = ports
    timeout = timeoutMilliseconds
  }

  /// nil when there is no such batch.
  package func progress(of batch: BatchID) async throws -> BatchProgress? {
    try await ask(ProgressQuestion(of: batch))
  }

  /// The last part of the time is for an answer that is on its way when the time for a change is over.
  private static let answerMilliseconds: Int64 = 1_000

  /// Asks, or has something changed: then it throws `ChangeUnconfirmed` when the fleet does not say that it was done, and the
  /// fleet drops it unless it has begun with it by then; see `Ask.deadline`.
  package func ask<Question: FleetQuestion>(_ question: Question) async throws -> Question.Reply {
    try await ask(question, id: ports.random.uuid(at: ports.clock.now))
  }

  func ask<Question: FleetQuestion>(_ question: Question, id: UUIDv7) async throws -> Question.Reply {
    var ask = Ask(question, replyTo: address, id: id)
    var tell = try await exchange([.ask(ask)]) { $0.tell(of: id) }
    if Question.changes, !tell.isFinal {
      let timeoutMilliseconds = timeout()
      let time = timeoutMilliseconds - min(Self.answerMilliseconds, timeoutMilliseconds / 2)
      ask.deadline = tell.at.advanced(byMilliseconds: time)
      do {
        tell = try await exchange(
          [.ask(ask)], isAtIt: { $0.tell(of: id) != nil },
          { message in message.tell(of: id).flatMap { $0.isFinal ? $0 : nil } })
      } catch let silence as FleetSilent {
        throw ChangeUnconfirmed(silence: silence)
      }
    }
    if let refusal = tell.refusal { throw QuestionRefused(name: Question.name, refusal: refusal) }
    return try tell.reply(as: Question.Reply.self)
  }

  /// Sends messages, and again every second, until another one is what was waited for.
  ///
  /// - Parameters:
  ///   - isAtIt: Whether a message says that it takes its time, so that there is reason to wait on.
  ///   - read: The reply in a message, or nil to wait on.
  func exchange<Reply>(
    _ messages: [Message], isAtIt: (Message) -> Bool = { _ in false }, _ read: (Message) -> Reply?
  ) async throws -> Reply {
    let timeoutMilliseconds = timeout()
    var giveUp = ports.clock.now.advanced(byMilliseconds: timeoutMilliseconds)
    // What answers an earlier question once more does not answer this one.
    while try await !receive(until: ports.clock.now).isEmpty {}
    while ports.clock.now < giveUp {
      for message in messages { try await send(message) }
      let again = min(giveUp, ports.clock.now.advanced(byMilliseconds: Heartbeat.resendMilliseconds))
      while ports.clock.now < again {
        for message in try await receive(until: again) {
          if let reply = read(message) { return reply }
          if isAtIt(message) { giveUp = ports.clock.now.advanced(byMilliseconds: timeoutMilliseconds) }
        }
      }
    }
    throw FleetSilent(address: aggregator, milliseconds: timeoutMilliseconds, refusal: outbox?.outlet.refusal)
  }

  func ask(for question: Query.Question) async throws {
    try await send(.query(Query(replyTo: address, question)))
  }

  /// What comes next; nothing after a second.
  func receive() async throws -> [Message] {
    try await receive(until: ports.clock.now.advanced(byMilliseconds: Heartbeat.resendMilliseconds))
  }

  private func receive(until moment: Moment) async throws -> [Message] {
    try await inbox.receive(atMost: Heartbeat.burst, until: moment).envelopes
      .filter { $0.secret == ports.secret }.map(\.message)
  }

  private func send(_ message: Message) async throws {
    if outbox == nil {
      outbox = try await .connect(to: aggregator, ports, secret: ports.secret)
    }
    outbox?.add(message)
    outbox?.flush()
  }

  var address: Address { inbox.address }
}

extension Message {
  /// The answer to the question of this id.
  fileprivate func tell(of id: UUIDv7) -> Tell? {
    if case .tell(let tell) = self, tell.id == id { tell } else { nil }
  }
}

/// Care of the fleet's ledger.
extension FleetClient {
  /// How often to ask how far it is.
  private static let askingMilliseconds: Int64 = 250

  /// Has something done with the ledger, and waits for its end.
  ///
  /// - Returns: The report of the end, of the schema `halyard.ledger/1`.
  package func care(_ task: LedgerTask) async throws -> [UInt8] {
    guard task != .size else { return try await ask(LedgerSizeQuestion()).bytes }
    let id = ports.random.uuid(at: ports.clock.now)
    var json: [UInt8]
    do {
      json = try await ask(CareOrder(task), id: id).bytes
    } catch let error as ChangeUnconfirmed {
      throw error.silence
    }
    while try JSONDocument(parsing: json).root["state"]?.string == "working" {
      try await ports.clock.sleep(until: ports.clock.now.advanced(byMilliseconds: Self.askingMilliseconds))
      json = try await ask(CareQuestion(of: id, task)).bytes
    }
    return json
  }

  /// A page of the rows of all batches, or of one.
  package func storedRows(of batch: BatchID?, after place: RowPlace) async throws -> StoredRows {
    try await exchange([.query(Query(replyTo: address, .storedRows(of: batch, after: place)))]) { message in
      if case .answer(.storedRows(after: place, let page)) = message { page } else { nil }
    }
  }
}

/// An echo that came back.
package struct Ping: Sendable {
  /// When it was sent and when its row was here, in Unix microseconds.
  package var sentAt: Int64
  package var cameBackAt: Int64
  /// Its row, which tells when each role had it.
  package var row: NumberedRow
}

extension FleetClient {
  /// Sends echoes through every role, one after the other.
  ///
  /// - Parameters:
  ///   - batch: A new one.
  ///   - name: A host name that nothing else in the fleet is about.
  package func ping(
    _ batch: BatchID, count: UInt64, name: String, _ sink: @Sendable (Ping) async throws -> Void
  ) async throws {
    for number in 0..<count {
      let job = Job(batch: batch, ordinal: number, kind: .echo, input: "http://\(name)/")
      let submit = Submit(
        batch: batch, sequence: UInt32(clamping: number), replyTo: address, jobs: [job],
        total: number + 1 == count ? count : nil)
      // Asked for beforehand, so that the row comes as soon as it is there.
      let wish = Query(replyTo: address, .copies(of: batch, after: number, limit: number + 1))
      let sentAt = ports.clock.microseconds
      let row = try await exchange([.query(wish), .submit(submit)]) { message -> NumberedRow? in
        guard case .answer(.rows(of: batch, _, let rows)) = message else { return nil }
        return rows.first { $0.number == number + 1 }
      }
      try await sink(Ping(sentAt: sentAt, cameBackAt: ports.clock.microseconds, row: row))
    }
  }
}
