import JSONQuery
import Pipeline

/// How the ledger's files stand, and what its clock says.
struct LedgerHealth: Sendable {
  var retention = Retention()
  var standing = LedgerStanding()
  /// When to look next; nil where no other process can want the ledger.
  var nextLook: Moment?
  /// Milliseconds by which the wall clock was set since the process started.
  var clockStep: Int64 = 0
  /// A client waits for room to cancel something.
  var wantsReserve = false
  /// The last read failed and is tried again: what has to be read waits behind it.
  var isUnreadable = false

  /// Why nothing new is taken in; nil when it is. That the file is gone is worse than any fault in its use.
  func trouble(besides fault: LedgerError?) -> String? {
    if let missing = standing.missing { return missing.message }
    guard standing.isReserveGivenUp else { return fault?.message }
    if let fault { return "\(fault.message); its reserve is given up" }
    return
      "the ledger's disk is full, and its reserve is given up: nothing new is taken in or given out until"
      + " \((standing.needed - 1) >> 20 + 1) MiB are free; delete batches with 'halyard ledger prune', or free room on the disk"
  }
}

extension Aggregator {
  private static let lookMilliseconds: Int64 = 2_000
  private static let toleratedStepMilliseconds: Int64 = 500

  /// The clock is compared with the ledger's, before anything in it is believed to be old or to be waiting.
  func takeOver(at now: Moment) async throws -> Inheritance {
    let holder = ports.random.uuid(at: now)
    let left = try await read {
      try await $0.takeOver(as: holder, at: now, longestPause: RetryRule.longestPauseMilliseconds)
    }
    (term, health.retention) = (left.term, left.retention)
    if settings.workersMayLive { health.nextLook = now }
    if let gap = left.gap {
      ports.log.record(
        .warning, "the ledger was not in use, or the clock was set: that time makes no unread row old",
        [
          LogField("last used", gap.began.timestamp), LogField("now", gap.ended.timestamp),
          LogField("in milliseconds", gap.milliseconds),
        ])
    }
    if left.shortenedPauses > 0 {
      ports.log.record(
        .warning, "retries were due later than any pause lasts, and are due sooner now",
        [LogField("jobs", left.shortenedPauses)])
    }
    return left
  }

  /// An owner that was taken for dead learns it here, if it has nothing to commit.
  private func renewTerm(at now: Moment) async throws(LedgerError) {
    do {
      try await listening(during: { [ledger, term] () throws(LedgerError) in
        try await ledger.renew(term, at: now)
      })
    } catch {
      if error.kind == .fenced { throw error }
    }
  }

  /// Every few seconds.
  func lookAfterLedger(at now: Moment) async throws {
    guard let next = health.nextLook, next <= now else { return }
    health.nextLook = now.advanced(byMilliseconds: Self.lookMilliseconds)
    followClock()
    try await renewTerm(at: now)
    guard
      let standing = try? await listening(during: { [ledger] () throws(LedgerError) in
        try await ledger.look(at: now)
      })
    else { return }
    let before = exchange(&health.standing, with: standing)
    if let missing = standing.missing, before.missing == nil {
      ports.log.record(.error, "the ledger's file is gone", [LogField("cause", missing.message)])
    } else if standing.missing == nil, before.missing != nil {
      ports.log.record(.warning, "the ledger's file is back", [])
    }
    // It is a part of the ledger's size.
    if standing.reserve != before.reserve { chores.nextUpkeep = now }
    if standing.isReserveGivenUp != before.isReserveGivenUp {
      ports.log.record(
        .warning,
        standing.isReserveGivenUp
          ? "the disk has no room for the ledger's reserve" : "the ledger's reserve was made again",
        [LogField("bytes", standing.isReserveGivenUp ? before.reserve : standing.reserve)])
    }
  }

  /// The aggregator's own time never jumps, and yet a batch starts when the wall clock says so.
  private func followClock() {
    // The turn's own moment is before its commit, which can have taken long.
    let now = ports.clock.now
    let step = ports.clock.microseconds / 1_000 - now.unixMilliseconds
    guard abs(step - health.clockStep) >= Self.toleratedStepMilliseconds else { return }
    ports.log.record(
      .warning, "the clock was set", [LogField("by milliseconds", step - health.clockStep)])
    health.clockStep = step
    dispatcher.clockStepped(by: step, at: now)
  }

  /// Whether a commit that found no room may be tried again at once.
  func makesRoom() async -> Bool {
    // A reader says it again, and need not wait for what it has read.
    if committing.dropConfirmations() { return true }
    let sweeps = chores.sweeps + [committing.swept].compactMap(\.self)
    guard health.wantsReserve || committing.cancels || sweeps.contains(where: \.cancels) else { return false }
    health.wantsReserve = false
    guard (try? await ledger.giveUpReserve()) ?? false else {
      guard health.standing.isReserveGivenUp else { return false }
      let dropped = committing.dropSubmissions()
      for submission in dropped { letGo(submission, at: ports.clock.now) }
      return !dropped.isEmpty
    }
    reserveIsGivenUp()
    return true
  }

  /// Its room is for those who clear up: what waits to be taken in would fill it, and is sent again.
  func reserveIsGivenUp() {
    health.standing.isReserveGivenUp = true
    ports.log.record(.warning, "the disk is full, and the ledger's reserve was given up", [])
    for submission in committing.dropSubmissions() { letGo(submission, at: ports.clock.now) }
    _ = coming?.dropSubmissions()
  }

  /// Commits fail, as on a full disk, and what the ledger has can be read.
  var isReadOnly: Bool {
    guard let fault = ledgerFault, !health.isUnreadable else { return false }
    return [.full, .readOnly, .other].contains(fault.kind)
  }

  /// What the ledger has can be read while commits fail, and what makes room again is asked for.
  ///
  /// - Returns: False for what has to wait.
  func servesReader(_ delivery: Delivery) async throws -> Bool {
    guard isReadOnly, let fault = ledgerFault, case .envelope(let envelope) = delivery else { return false }
    if case .ask(let ask) = envelope.message { return await serves(ask, envelope, because: fault) }
    guard case .query(let query) = envelope.message else { return false }
    work.messages += 1
    guard admits(envelope) else { return true }
    // Confirmations among it are dropped.
    var nothing = Transaction()
    await take(query, over: envelope.secret, &nothing)
    followers.owe()
    try await serveFollowers()
    return true
  }

  /// A cancel has the reserve given up, and so does a prune in its steps, which are taken meanwhile; other care is not begun.
  private func serves(_ ask: Ask, _ envelope: Envelope, because fault: LedgerError) async -> Bool {
    if ask.name == CancelOrder.name {
      guard ask.question(as: CancelOrder.self)?.choice.batch?.isPassing != true else { return false }
      health.wantsReserve = admits(envelope) || health.wantsReserve
      return false
    }
    guard ask.name == CareOrder.name, admits(envelope), let order = ask.question(as: CareOrder.self) else {
      return false
    }
    work.messages += 1
    if case .forget = order.task {
      var nothing = Transaction()
      await take(ask, over: envelope.secret, &nothing)
    } else if await connections.meet(ask.replyTo, envelope.secret) {
      tell(LedgerReport.failed(order.task, fault.message), to: ask)
    }
    return true
  }
}
