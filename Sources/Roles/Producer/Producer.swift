internal import HalyardConcurrency
package import Pipeline

/// Submits one batch and collects its rows: reads as fast as rows are written, never faster.
package actor Producer {
  package typealias RowSink = @Sendable ([NumberedRow]) async throws -> Void

  let settings: ProducerSettings
  let inbox: any Inbox
  let ports: RolePorts
  let aggregator: Address
  var outbox: Outbox?
  var submissions: Submissions
  /// Submitted jobs that the ledger had already as something else.
  package private(set) var differing: DifferingJobs?
  /// Ended without the aggregator, which may have more rows.
  package private(set) var isAbandoned = false
  var arrived: UInt64 = 0
  var arrivedAtLastRound: UInt64 = 0
  private var written: UInt64 = 0
  /// The number of the last row, when the batch was complete.
  var completeAt: UInt64?
  private var order: RowOrder
  private var window: SubmissionWindow
  /// Rings when the feeder may go on.
  private let room = TaskChannel<Void>(capacity: .conflating)
  private var feeding: Task<Void, any Error>?
  var isClosed = false
  /// Repeated until the run is over.
  var cancelled: Cancel?
  /// Places of the jobs that were submitted and have no row yet.
  private var open: Set<UInt64> = []
  /// Single jobs whose cancellation is wanted, until they have their rows.
  var unwanted: Set<UInt64> = []
  /// Interrupted, with jobs left for another run.
  var isLeftOpen = false
  /// No more rows will come.
  private var isDrained = false
  private var strays = StrayMessages()
  /// Of the fleet's ledger, once it was told.
  var lineage: UInt64?

  package init(settings: ProducerSettings, inbox: any Inbox, aggregator: Address, ports: RolePorts) {
    self.settings = settings
    self.inbox = inbox
    self.aggregator = aggregator
    self.ports = ports
    submissions = Submissions(
      batch: settings.batch, replyTo: inbox.address, terms: settings.terms)
    order = RowOrder(isOrdered: settings.isOrdered)
    window = SubmissionWindow(start: settings.start, most: settings.window)
  }

  /// Jobs that were submitted, known ones included.
  package var submitted: UInt64 { submissions.submitted }
  /// Those of them that the aggregator says it has.
  package var confirmed: UInt64 { submissions.confirmed }
  /// Those of them that the ledger did not have.
  package var inserted: UInt64 { submissions.inserted }

  /// Runs the batch to its end: every job that was submitted has had its row when this returns.
  ///
  /// A failing feed ends the input there; the rows of what was submitted still come, then the error is thrown.
  package func run(_ feed: any JobFeed, into sink: RowSink) async throws {
    outbox = try await .connect(to: aggregator, ports, secret: ports.secret)
    // Interrupted before it began: there is nothing to wait for.
    guard !isClosed, !isLeftOpen else { return }
    askForRows()
    let feeding = Task(executorPreference: ports.executor) { try await self.submitAll(of: feed) }
    self.feeding = feeding
    do {
      try await collect(into: sink)
    } catch {
      feeding.cancel()
      throw error
    }
    try await feeding.value
  }

  /// Ends the batch early: nothing more is read, and what no worker is on is cancelled with a row, or left open.
  ///
  /// - Parameter everything: Does not wait for what is under way either.
  package func interrupt(everything: Bool, cause: String) async {
    feeding?.cancel()
    if !settings.collectsRows {
      // What is submitted will be done all the same; the rest can be submitted another time.
      isDrained = everything
      isLeftOpen = true
      return
    }
    if settings.leavesJobsOpen { return await leave(atOnce: everything) }
    let cancel = Cancel(everything ? .all(settings.batch) : .waiting(settings.batch), cause: cause)
    cancelled = cancel
    outbox?.add(.cancel(cancel))
    close()
    outbox?.flush()
  }

  /// Cancels single jobs, by their places in the batch; each gets its row like any other.
  package func cancel(_ ordinals: [UInt64]) {
    let ordinals = ordinals.filter { $0 >= submitted || open.contains($0) }
    guard !ordinals.isEmpty else { return }
    unwanted.formUnion(ordinals)
    outbox?.add(.cancel(Cancel(.jobs(of: settings.batch, ordinals), cause: Self.unwantedCause)))
    outbox?.flush()
  }

  static let unwantedCause = "the caller no longer waits for it"

  /// Ends the run without a further word from the aggregator, which does what was submitted all the same.
  package func abandon() async {
    feeding?.cancel()
    isAbandoned = true
    await leave(atOnce: true)
  }

  private func leave(atOnce: Bool) async {
    isLeftOpen = true
    if atOnce {
      isDrained = true
      await inbox.close()
    } else {
      outbox?.add(.drain)
      outbox?.flush()
    }
  }

  private func submitAll(of feed: any JobFeed) async throws {
    do {
      while !Task.isCancelled {
        let room = await waitForRoom()
        guard !Task.isCancelled, let drafts = try await feed.next(atMost: min(room, ProducerSettings.chunk)),
          !Task.isCancelled
        else { break }
        submit(drafts)
        outbox?.flush()
      }
    } catch is CancellationError {
      return
    } catch {
      // The input has an end that we do not know.
      if !settings.collectsRows { isLeftOpen = true }
      if settings.leavesJobsOpen { await leave(atOnce: false) }
      close()
      outbox?.flush()
      throw error
    }
    close()
    outbox?.flush()
  }

  private func submit(_ drafts: [JobDraft]) {
    let now = ports.clock.now
    let deadline = settings.deadline(ofJobsSubmittedAt: now)
    let first = submitted
    let messages = submissions.add(drafts, deadline: deadline, at: now)
    if settings.collectsRows { open.formUnion(first..<submitted) }
    for message in messages { outbox?.add(.submit(message)) }
  }

  private func close() {
    guard !isClosed, !isLeftOpen else { return }
    isClosed = true
    outbox?.add(.submit(submissions.end(at: ports.clock.now)))
  }

  private func waitForRoom() async -> Int {
    while !Task.isCancelled {
      let open = settings.collectsRows && submitted > written ? Int(clamping: submitted - written) : 0
      if open < window.size, submissions.mayGrow { return window.size - open }
      _ = try? await room.receive()
    }
    return 0
  }

  /// Whether everything has come that will come.
  private var isOver: Bool {
    guard settings.collectsRows else {
      return isDrained || (isClosed || isLeftOpen) && submissions.areReceipted
    }
    // A job that was requeued meanwhile has more rows than one: the aggregator says which is the last.
    return isDrained
      || isClosed && submissions.areReceipted && written >= submitted
        && (submitted == 0 || completeAt == arrived)
  }

  private func collect(into sink: RowSink) async throws {
    var silentRounds: Int64 = 0
    var isSilent = true
    var nextRound = ports.clock.now.advanced(byMilliseconds: Heartbeat.resendMilliseconds)
    while !isOver {
      let burst: [Envelope]
      do {
        burst = try await inbox.receive(atMost: Heartbeat.burst, until: nextRound).envelopes
      } catch  where isDrained {
        return
      }
      // Before the rows are written, which may take any time: what was answered meanwhile is not repeated.
      let received = ports.clock.now
      isSilent = isSilent && burst.isEmpty
      for envelope in burst where envelope.secret == ports.secret { try await handle(envelope.message, sink) }
      try await write(order.released(submitted: submitted), sink)
      // Conflating and never closed: it takes everything.
      _ = try? room.offer(())
      if received >= nextRound, !isOver {
        silentRounds = isSilent ? silentRounds + 1 : 0
        if isSilent { try endAfterSilence(of: silentRounds) }
        repeatWhatIsUnanswered(at: received)
        isSilent = true
        nextRound = ports.clock.now.advanced(byMilliseconds: Heartbeat.resendMilliseconds)
      }
      outbox?.flush()
    }
  }

  private func handle(_ message: Message, _ sink: RowSink) async throws {
    switch message {
    case .receipt(let receipt):
      guard receipt.batch == settings.batch else { break }
      if let refusal = receipt.refusal { throw SubmissionRefused(failure: refusal) }
      try isStillThere(receipt.lineage)
      if submissions.took(receipt) { try await refused(by: receipt) }
    case .answer(.rows(of: settings.batch, let after, let rows)): try await take(rows, after: after, sink)
    case .answer(.complete(settings.batch, let rows)): completeAt = rows
    case .answer(.rows), .answer(.complete): break
    case .tell(let tell): try hear(tell)
    case .answer(.storedRows): break
    case .drain: isDrained = isLeftOpen
    case .hello, .roster, .credit, .submit, .job, .document, .result, .ack, .giveBack, .cancel, .bye, .query,
      .ask,
      .hostSlotRequest, .hostSlotGrant:
      strays.came(message, "message not for a producer", to: ports.log)
    }
  }

  /// The batch is another list's: nothing of this one goes there.
  private func refused(by receipt: Receipt) async throws {
    guard let differing = receipt.differing else { return }
    self.differing = differing
    guard !settings.collectsRows else {
      throw SubmissionRefused(failure: .differing(from: settings.batch, differing))
    }
    feeding?.cancel()
    isLeftOpen = true
    submissions.giveUp()
  }

  /// Rows come in the order of their numbers. One that was seen already is dropped, and so is what comes after a row
  /// that has not come: a lane lost it, and all from there on are asked for again.
  private func take(_ rows: [NumberedRow], after number: UInt64, _ sink: RowSink) async throws {
    guard number <= arrived else { return }
    let fresh = rows.filter { $0.number > arrived }
    guard let last = fresh.last else { return }
    arrived = last.number
    for row in fresh {
      window.arrived(rowOfBytes: row.json.count)
      open.remove(row.ordinal)
      if !unwanted.isEmpty { unwanted.remove(row.ordinal) }
    }
    try await write(order.arrived(fresh, submitted: submitted), sink)
    askForRows()
  }

  private func write(_ rows: [NumberedRow], _ sink: RowSink) async throws {
    guard !rows.isEmpty else { return }
    try await sink(rows)
    written += UInt64(rows.count)
    window.wrote(rows: rows.count)
  }

  func askForRows() {
    guard settings.collectsRows else { return }
    let limit = arrived.saturating(plus: UInt64(settings.window))
    outbox?.add(
      .query(
        Query(replyTo: inbox.address, .rows(of: settings.batch, confirmed: arrived, limit: limit))))
  }
}

/// What a producer says again while it is not answered, and when it gives up.
extension Producer {
  /// Rounds are counted, and not the time, in which this process or the reader of its rows may have stood still.
  func endAfterSilence(of rounds: Int64) throws {
    guard let longest = settings.timeoutMilliseconds else { return }
    guard rounds * Heartbeat.resendMilliseconds < longest else {
      throw FleetSilent(address: aggregator, milliseconds: longest, refusal: outbox?.outlet.refusal)
    }
    // The fleet always answers these, so that silence means that it is gone and not that it is slow. The status says
    // why it does not take what was submitted.
    if outbox?.isSending == false {
      let id = ports.random.uuid(at: ports.clock.now)
      outbox?.add(
        submissions.areReceipted
          ? .ask(Ask(ProgressQuestion(of: settings.batch), replyTo: inbox.address, id: id))
          : .ask(Ask(StatusQuestion(), replyTo: inbox.address, id: id)))
    }
  }

  /// A producer that waits for more input must say so: the aggregator closes the batch of one that says nothing.
  private func needsLifeSign(at now: Moment) -> Bool {
    settings.timeoutMilliseconds != nil && !isClosed && !isLeftOpen && submissions.needsLifeSign(at: now)
  }

  func repeatWhatIsUnanswered(at now: Moment) {
    guard outbox?.isSending == false else { return }
    for submit in submissions.repeated(at: now) { outbox?.add(.submit(submit)) }
    if needsLifeSign(at: now) { outbox?.add(.submit(submissions.lifeSign(at: now))) }
    if let cancelled { outbox?.add(.cancel(cancelled)) }
    if !unwanted.isEmpty {
      outbox?.add(.cancel(Cancel(.jobs(of: settings.batch, unwanted.sorted()), cause: Self.unwantedCause)))
    }
    if isLeftOpen, settings.leavesJobsOpen { outbox?.add(.drain) }
    // Rows that come need no asking; asked for twice, they come twice.
    if arrived == arrivedAtLastRound { askForRows() }
    arrivedAtLastRound = arrived
  }
}

// What a copy in place of the fleet's ledger has lost.
extension Producer {
  /// It was asked after a silence, or before the run with this inbox, and answered twice.
  func hear(_ tell: Tell) throws {
    guard confirmed > 0, tell.name == ProgressQuestion.name, tell.refusal == nil else { return }
    let known: BatchProgress?
    do { known = try tell.reply(as: ProgressQuestion.Reply.self) } catch { return }
    if let known { return try isStillThere(known.lineage) }
    guard settings.collectsRows, arrived >= submitted else {
      throw SubmissionRefused(
        failure: .lost(settings.batch, "it was deleted meanwhile, or a copy of before was"))
    }
    // It was forgotten after its last row.
    completeAt = arrived
  }

  /// What a ledger has confirmed is not in a copy of it from before.
  func isStillThere(_ lineage: UInt64) throws {
    guard lineage != 0 else { return }
    guard self.lineage ?? lineage == lineage else {
      throw SubmissionRefused(failure: .lost(settings.batch, "a copy was"))
    }
    self.lineage = lineage
  }
}
