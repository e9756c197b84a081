package import Pipeline
import Scheduling

/// The fleet did not answer in time.
package struct FleetSilent: Error, Hashable, Sendable {
  package var address: Address
  package var milliseconds: Int64
  /// Why it does not let this process in, when that is known.
  package var refusal: String?
  /// The run directory in which it was looked for.
  package var directory: String?

  package init(address: Address, milliseconds: Int64) {
    self.address = address
    self.milliseconds = milliseconds
  }
}

/// A change that was asked for is not confirmed: it may have been made, or will not be any more.
package struct ChangeUnconfirmed: Error, Hashable, Sendable {
  package var silence: FleetSilent

  package init(silence: FleetSilent) { self.silence = silence }
}

/// Asks a fleet's aggregator, and asks again until it answers. One question at a time.
package actor FleetClient {
  private let inbox: any Inbox
  let aggregator: Address
  let ports: RolePorts
  private let timeout: @Sendable () -> Int64
  private var outbox: Outbox?

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

  private var timeoutMilliseconds: Int64 { timeout() }

  /// The report of the schema `halyard.status/1`.
  ///
  /// - Parameter size: How many workers `up` runs, which only that says.
  package func status(of size: FleetSize? = nil) async throws -> [UInt8] {
    try await answer(to: .status, of: size) { if case .status(let json) = $0 { json } else { nil } }
  }

  /// nil when there is no such batch.
  package func progress(of batch: BatchID) async throws -> BatchProgress? {
    try await timedProgress(of: batch).progress
  }

  private func timedProgress(of batch: BatchID) async throws -> (progress: BatchProgress?, at: Moment) {
    try await answer(to: .progress(of: batch)) { answer -> (progress: BatchProgress?, at: Moment)? in
      guard case .progress(of: batch, let progress, let moment) = answer else { return nil }
      return (progress, moment)
    }
  }

  /// Throws `ChangeUnconfirmed` when the fleet does not say that it was done.
  ///
  /// - Parameter kinds: Of which failures; none for all.
  /// - Returns: How many dead letters are tried once more.
  package func requeue(_ choice: JobChoice, of kinds: Set<FailureKind> = []) async throws -> UInt64 {
    try await change(.requeue(choice, of: kinds), of: choice.batch) {
      if case .requeued(let jobs, $1) = $0 { jobs } else { nil }
    }
  }

  /// Throws `ChangeUnconfirmed` when the fleet does not say that it was done.
  ///
  /// - Returns: How many jobs are cancelled, or about to be, that were not before.
  package func cancel(_ choice: JobChoice, cause: String) async throws -> UInt64 {
    try await change(.cancel(choice, cause: cause), of: choice.batch) {
      if case .cancelled(let jobs, $1) = $0 { jobs } else { nil }
    }
  }

  /// Gives a batch other terms, as far as these say something. Throws `ChangeUnconfirmed` when the fleet does not say
  /// that it was done.
  ///
  /// - Returns: False when there is no such batch.
  package func change(_ batch: BatchID, _ terms: BatchTerms) async throws -> Bool {
    try await change(.change(batch, terms), of: batch) {
      if case .changed(batch, let isKnown, $1) = $0 { isKnown } else { nil }
    }
  }

  /// A page of batches, one JSON object in each line, and where the next page begins; nil when there is none.
  package func batches(_ search: BatchSearch) async throws -> (lines: [UInt8], next: Int64?) {
    let id = ports.random.uuid(at: ports.clock.now)
    let query = Message.query(Query(replyTo: inbox.address, .batches(search), id: id))
    return try await exchange([query]) { message -> (lines: [UInt8], next: Int64?)? in
      guard case .answer(.batches(let lines, let next, id)) = message else { return nil }
      return (lines, next)
    }
  }

  /// A report of the schema `halyard.job/1`; nil when there is no such job.
  package func story(of job: JobID) async throws -> [UInt8]? {
    try await answer(to: .job(job)) { answer -> [UInt8]?? in
      guard case .job(job, let report) = answer else { return nil }
      return .some(report)
    }
  }

  /// A page of jobs, one JSON object in each line, and where the next page begins; nil when there is none.
  package func jobs(_ listing: JobListing) async throws -> (lines: [UInt8], next: JobSearch.Place?) {
    let id = ports.random.uuid(at: ports.clock.now)
    let query = Message.query(Query(replyTo: inbox.address, .jobs(listing), id: id))
    return try await exchange([query]) { message -> (lines: [UInt8], next: JobSearch.Place?)? in
      guard case .answer(.jobs(let lines, let next, id)) = message else { return nil }
      return (lines, next)
    }
  }

  /// Pauses a batch, a host or everything, or lets it go on. Throws `ChangeUnconfirmed` when the fleet does not say that
  /// it was done.
  ///
  /// - Parameter pause: nil to let it go on.
  /// - Returns: Whether it is paused now, and whether that was different before.
  package func set(_ pause: Pause?, of scope: PauseScope) async throws -> (isPaused: Bool, wasChanged: Bool) {
    try await change(pause.map { .pause(scope, $0) } ?? .resume(scope), of: scope.batch) {
      if case .pausing(scope, let isPaused, let wasChanged, $1) = $0 { (isPaused, wasChanged) } else { nil }
    }
  }

  /// A batch that no fleet has: what is said of it is only the time.
  static let noBatch = BatchID(UUIDv7(high: 0, low: 0))

  /// The last part of the time is for an answer that is on its way when the time for the change is over.
  private static let answerMilliseconds: Int64 = 1_000

  /// Asks for a change, which the aggregator drops when it has not begun with it by the time this gives up.
  func change<Reply>(
    _ question: Query.Question, of batch: BatchID?, _ read: (Answer, UUIDv7) -> Reply?
  ) async throws -> Reply {
    let batch = batch ?? Self.noBatch
    let there = try await timedProgress(of: batch).at
    let time = timeoutMilliseconds - min(Self.answerMilliseconds, timeoutMilliseconds / 2)
    let id = ports.random.uuid(at: ports.clock.now)
    let query = Query(
      replyTo: inbox.address, question, deadline: there.advanced(byMilliseconds: time), id: id)
    do {
      return try await exchange(
        [.query(query)], isAtIt: { $0.isProgress(of: batch) },
        { if case .answer(let answer) = $0 { read(answer, id) } else { nil } })
    } catch let silence as FleetSilent {
      throw ChangeUnconfirmed(silence: silence)
    }
  }

  func answer<Reply>(
    to question: Query.Question, of size: FleetSize? = nil, _ read: (Answer) -> Reply?
  ) async throws -> Reply {
    var query = Query(replyTo: inbox.address, question)
    query.fleetSize = size
    return try await exchange([.query(query)]) { message in
      if case .answer(let answer) = message { read(answer) } else { nil }
    }
  }

  /// Sends messages, and again every second, until another one is what was waited for.
  ///
  /// - Parameters:
  ///   - isAtIt: Whether a message says that it takes its time, so that there is reason to wait on.
  ///   - read: The reply in a message, or nil to wait on.
  func exchange<Reply>(
    _ messages: [Message], isAtIt: (Message) -> Bool = { _ in false }, _ read: (Message) -> Reply?
  ) async throws -> Reply {
    let timeoutMilliseconds = timeoutMilliseconds
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
    var silence = FleetSilent(address: aggregator, milliseconds: timeoutMilliseconds)
    silence.refusal = outbox?.refusal
    throw silence
  }

  func ask(_ question: Query.Question) async throws {
    try await send(.query(Query(replyTo: inbox.address, question)))
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
      outbox = Outbox(
        try await ports.transport.connect(to: aggregator), ports: ports, secret: ports.secret)
    }
    outbox?.add(message)
    outbox?.flush()
  }

  var address: Address { inbox.address }
}

extension Message {
  fileprivate func isProgress(of batch: BatchID) -> Bool {
    if case .answer(.progress(of: batch, _, _)) = self { true } else { false }
  }
}
