import Pipeline

/// Jobs whose workers are lost become ready again, or go on if the worker lives.
extension Aggregator {
  /// Makes jobs ready again, or ends those that have killed too many workers or are no longer wanted. Others have them
  /// at once; whether a death that only a lane told of was one shows later.
  ///
  /// - Parameter mayComeBack: Their worker did not hand them back, and may go on with them.
  func requeueLost(
    _ losses: [Leases.Loss], mayComeBack: Bool = true, _ transaction: inout Transaction,
    at now: Moment
  ) {
    let charged = charged(losses)
    for loss in losses {
      dispatcher.release(loss.token, at: now)
      guard let id = dispatcher.job(under: loss.token), let entry = dispatcher.jobs[id] else { continue }
      let crashed =
        loss.dead == nil ? loss.mayBeToBlame && entry.job.kind != .echo : charged.contains(id)
      if let cause = interruptions[entry.job.batch] {
        cancel(entry, because: cause, &transaction, at: now)
      } else {
        transaction.add(id, crashed ? .crashed(loss.token) : .returned(loss.token))
        dispatcher.requeued(id, crashed: crashed, at: now)
        if mayComeBack, case .leased(let lease, to: _) = entry.place {
          dispatcher.noteLost(lease, of: id, wasCharged: crashed)
        }
        guard crashed else { continue }
        if let worker = loss.mayLive {
          registry.suspicions.charged(id, lostUnder: loss.token, with: worker, at: registry.watched)
        }
        endPoisoned([id], &transaction, at: now)
      }
    }
  }

  /// The jobs that fetchers died of alone. Those that share a death become suspects.
  private func charged(_ losses: [Leases.Loss]) -> Set<JobID> {
    var charged: Set<JobID> = []
    for worker in Set(losses.lazy.compactMap(\.dead)).sorted() where registry.workers[worker] == nil {
      let lost = losses.filter { $0.dead == worker }
      let executing = lost.filter(\.mayBeToBlame)
      let culprit = dispatcher.fetcherDied(
        executing: executing.map(\.token), waiting: lost.filter { !$0.mayBeToBlame }.map(\.token))
      if let culprit { charged.insert(culprit) }
      registry.noteTold(worker)
      ports.log.record(
        .warning, "a fetcher counts as dead, its jobs go to others",
        [
          .worker(worker), LogField("jobs", lost.count), LogField("executing", executing.count),
          LogField("suspects", dispatcher.suspects.count),
        ] + (culprit.map { [LogField("charged", $0)] } ?? []))
    }
    return charged
  }

  /// Restores leases that were declared lost while their worker lived, unless another worker has the job by now.
  ///
  /// - Returns: How many.
  @discardableResult
  func resume(
    _ tokens: [LeaseToken], by worker: WorkerID, _ transaction: inout Transaction, at now: Moment
  ) -> Int {
    var count = 0
    for token in tokens {
      guard
        let resumption = dispatcher.resumed(token, by: worker, watched: registry.watched, at: now)
      else { continue }
      transaction.add(resumption)
      count += 1
    }
    return count
  }

  /// The ledger does not let the lease go on.
  func drop(_ resumption: Dispatcher.Resumption, at now: Moment) {
    if dispatcher.job(under: resumption.lease.token) != nil {
      _ = dispatcher.removed(resumption.job.id, at: now)
    }
    leaveOut(resumption.job, at: now)
  }

  /// Jobs that were granted to a fetcher whose lane is gone.
  func requeueUnsent(_ transaction: inout Transaction, at now: Moment) {
    for assignment in unsent {
      let token = assignment.order.lease.token
      if let entry = dispatcher.entry(under: token) { askAnew(entry, under: token, &transaction, at: now) }
    }
    unsent = []
  }

  /// Their worker lives: only the lane went down.
  func absolve(_ charges: [Suspicions.Charge], _ transaction: inout Transaction, at now: Moment) {
    for charge in charges {
      guard let entry = dispatcher.jobs[charge.job] else { continue }
      transaction.add(charge.job, .absolved(from: entry.crashes))
      dispatcher.absolved(charge.job, lostUnder: charge.token, at: now)
    }
  }

  /// Ends the jobs that have killed too many workers, as far as that is certain.
  func endPoisoned(_ jobs: [JobID], _ transaction: inout Transaction, at now: Moment) {
    for id in jobs where !registry.suspicions.hasAny(of: id) {
      guard let entry = dispatcher.jobs[id], entry.crashesThatCount >= JobLife.crashesUntilPoisoned else {
        continue
      }
      end(entry, .poisoned(entry), &transaction, at: now)
    }
  }
}
