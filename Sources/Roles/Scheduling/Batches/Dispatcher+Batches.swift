package import Pipeline

/// What batches ask for as a whole, and what is paused.
extension Dispatcher {
  /// The batch whose terms a job goes by: calls of a run go by those of its batch.
  package func payer(of batch: BatchID) -> BatchID {
    payers.isEmpty || !batch.isOfCalls ? batch : payers[batch] ?? batch
  }

  /// A run begins, or nil when it is over.
  package mutating func pays(_ batch: BatchID?, for calls: BatchID) {
    payers[calls] = batch
  }

  /// The part of a batch beside those of others.
  package func weight(of batch: BatchID) -> UInt32 { hosts.weight(of: payer(of: batch)) }

  /// Nothing of a batch can start soon: it is paused, or its time has not come.
  package func isShut(_ batch: BatchID) -> Bool { limits.isShut(payer(of: batch)) }

  /// No job of a batch may start just now.
  package func isHeld(_ batch: BatchID) -> Bool { limits.isHeld(payer(of: batch)) }

  /// Some jobs of a batch that could run may have to wait for its limits.
  package func isLimited(_ batch: BatchID) -> Bool { limits.isLimited(payer(of: batch)) }

  /// A batch has these terms from now on.
  ///
  /// - Parameter isNew: They came with a submission, so nothing that started counts against its rate.
  package mutating func set(
    _ terms: BatchTerms, of batch: BatchID, isPaused: Bool, isNew: Bool = false, at now: Moment
  ) {
    hosts.weigh(batch, terms.share)
    let wasLimited = limits.isLimited(batch)
    let isHeld = limits.set(
      batch, terms, isPaused: isPaused, underWay: terms.atMost ?? 0 > 0 ? leases.count(of: batch) : 0,
      isNew: isNew, at: now)
    hold(batch, isHeld)
    mayHoldShut = mayHoldShut || limits.isShut(batch)
    if !wasLimited, limits.isLimited(batch) { letWaitersAsk(insteadOf: batch, at: now) }
  }

  /// Jobs that wait for the rows of a batch's jobs ask for themselves, unless these are under way.
  private mutating func letWaitersAsk(insteadOf batch: BatchID, at now: Moment) {
    for id in singleFlight.leadersWithWaiters where jobs[id]?.payer == batch && jobs[id]?.place == .queued {
      letWaitersAsk(instead: id, at: now)
    }
  }

  /// What the ledger knows, instead of what was known before.
  package mutating func learned(_ shares: KnownShares, at now: Moment) {
    let known = Set(shares.batches.map(\.id))
    for batch in limits.batches where !known.contains(batch) {
      set(BatchTerms(), of: batch, isPaused: false, at: now)
    }
    for batch in shares.batches { set(batch.terms, of: batch.id, isPaused: batch.progress.isPaused, at: now) }
    limits.isAllPaused = shares.isAllPaused
    for host in hosts.heldHosts.subtracting(shares.pausedHosts).sorted() {
      hosts.hold(host: host, false, at: now)
    }
    for host in shares.pausedHosts.subtracting(hosts.heldHosts).sorted() {
      hosts.hold(host: host, true, at: now)
      paused(host)
    }
  }

  /// Jobs of a batch are about to be ended, and none starts; or that is over.
  package mutating func stop(_ batch: BatchID, _ isStopped: Bool, at now: Moment) {
    if isStopped { stopped.insert(batch) } else { stopped.remove(batch) }
    hold(batch, limits.isHeld(batch))
    if isStopped { letWaitersAsk(insteadOf: batch, at: now) }
  }

  /// No other job is to wait for the rows of such a batch's jobs.
  func isRestrained(_ payer: BatchID) -> Bool { limits.isLimited(payer) || stopped.contains(payer) }

  mutating func hold(_ batch: BatchID, _ isHeld: Bool) {
    hosts.hold(batch, isHeld || stopped.contains(batch))
  }

  /// A worker is on a job.
  ///
  /// - Parameter isNew: It starts now.
  mutating func began(_ payer: BatchID, isNew: Bool, at now: Moment) {
    guard limits.knows(payer) else { return }
    // A job that goes on lets others follow when the rate allows them by now.
    hold(payer, isNew ? limits.started(payer, at: now) : limits.began(payer, at: now))
  }

  /// A worker is on it no more.
  mutating func ended(of payer: BatchID, at now: Moment) {
    guard !limits.isEmpty, limits.ended(payer, at: now) else { return }
    hold(payer, false)
  }

  /// Batches start by the wall clock, which was set by so much.
  package mutating func clockStepped(by milliseconds: Int64, at now: Moment) {
    for (batch, isHeld) in limits.clockStepped(by: milliseconds, at: now) {
      hold(batch, isHeld)
      mayHoldShut = mayHoldShut || limits.isShut(batch)
    }
  }
}
