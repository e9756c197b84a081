import Pipeline

/// Who works, and what comes back from those who stop.
extension Aggregator {
  func meet(_ hello: Hello, _ turn: inout Turn) async {
    guard hello.fits, workforce.hasRoom(for: hello.worker) else { return }
    await switchboard.meet(hello.worker, at: hello.address)
    let now = ports.clock.now
    if settings.workersMayLive, hello.role != .producer { turn.add(.seen(hello.worker)) }
    let before = workforce.workers[hello.worker]
    let lost = workforce.spoke(hello, at: now)
    absolve(workforce.suspicions.spoke(hello.worker), &turn, at: now)
    // Not that of a producer or an aggregator: nothing is kept of them, so they would be judged anew each time.
    guard workforce.workers[hello.worker]?.role == hello.role else { return }
    judge(hello)
    guard let worker = workforce.workers[hello.worker] else { return }
    if worker.difference == nil { resume(hello.held, by: hello.worker, &turn, at: now) }
    switch worker.role {
    case .fetcher:
      if worker.difference != nil {
        dispatcher.fetcherLeft(hello.worker)
      } else if !worker.isLeaving {
        dispatcher.fetcherSpoke(
          hello, hasLostJobs: lost.contains(where: \.neverArrived), watched: workforce.watched)
      }
      switchboard.add(.roster(roster(for: worker.cell)), to: hello.worker)
    case .decoder:
      // Another peer may have called it a fetcher, or named another address.
      dispatcher.fetcherLeft(hello.worker)
      if before?.role != .decoder || before?.address != worker.address { sendRoster() }
    case .producer, .aggregator: break
    }
    takeBack(lost, &turn, at: now)
  }

  /// One that differs from its fleet stays, because it may hold leases, and gets nothing more to do.
  private func judge(_ hello: Hello) {
    let isAlone = !workforce.hasMember(.fetcher, besides: hello.worker)
    guard let difference = rule.difference(of: hello, isAlone: isAlone) else {
      _ = workforce.differs(hello.worker, nil)
      return
    }
    guard workforce.differs(hello.worker, difference) else { return }
    ports.log.record(
      .warning, "worker gets nothing to do: it differs from its fleet",
      [
        .worker(hello.worker), LogField("role", hello.role.name), LogField("cell", hello.cell),
        LogField("difference", difference),
      ])
  }

  /// A lane that went down is the fastest sign that the peer is gone.
  func take(_ notice: LaneNotice, _ turn: inout Turn) async {
    guard !notice.isUp else { return switchboard.reached(notice.address) }
    if let worker = workforce.worker(at: notice.address) {
      await forget(worker, isCertain: false, &turn)
    } else {
      followers.left(notice.address)
      submitters.left(notice.address)
      await switchboard.forget(notice.address)
    }
  }

  /// It has told all it had to tell; what it still holds by our books never reached it.
  func take(_ bye: Bye, _ turn: inout Turn) async {
    workforce.isLeaving(bye.worker)
    absolve(workforce.suspicions.spoke(bye.worker), &turn, at: ports.clock.now)
    await forget(bye.worker, &turn)
  }

  func forget(_ worker: WorkerID, isCertain: Bool = true, _ turn: inout Turn) async {
    let now = ports.clock.now
    let wasDecoder = workforce.workers[worker]?.role == .decoder
    dispatcher.fetcherLeft(worker)
    let lost = workforce.died(worker, isCertain: isCertain, at: now)
    await switchboard.forget(worker)
    if wasDecoder { sendRoster() }
    takeBack(lost, &turn, at: now)
  }

  /// Leases that no worker lists any more, and workers and clients that have been silent for too long.
  func lookAfterOthers(_ turn: inout Turn, at now: Moment) async {
    workforce.listens(at: now)
    for worker in workforce.silent {
      ports.log.record(.warning, "worker is silent, its jobs go to others", [.worker(worker)])
      await forget(worker, &turn)
    }
    takeBack(workforce.overdue(at: now), &turn, at: now)
    condemn(workforce.suspicions.confirmed(at: workforce.watched), &turn, at: now)
    for address in await switchboard.forgetSilent(at: now) {
      followers.left(address)
      submitters.left(address)
    }
  }

  private func sendRoster() {
    for fetcher in workforce.ids(of: .fetcher) {
      guard let cell = workforce.workers[fetcher]?.cell else { continue }
      switchboard.add(.roster(roster(for: cell)), to: fetcher)
    }
  }

  /// Documents do not leave their cell.
  private func roster(for cell: String) -> Roster {
    let peers = workforce.workers.compactMap { id, worker in
      worker.role == .decoder && worker.cell == cell && !worker.isLeaving && worker.difference == nil
        ? worker.address.map { Roster.Peer(worker: id, address: $0) } : nil
    }
    return Roster(decoders: peers.sorted { $0.worker < $1.worker }, answersVisits: true)
  }

  func take(_ giveBack: GiveBack, _ turn: inout Turn) {
    if giveBack.reason == .draining {
      workforce.isLeaving(giveBack.from)
      dispatcher.fetcherLeft(giveBack.from)
      if workforce.workers[giveBack.from]?.role == .decoder { sendRoster() }
    }
    let isOfPeer = giveBack.reason == .peerLost
    let returned = giveBack.tokens.enumerated().compactMap { index, token -> Workforce.Loss? in
      // It may not give back what another worker has.
      guard dispatcher.fetcher(under: token) == giveBack.from else { return nil }
      return Workforce.Loss(
        token: token, mayBeToBlame: index < Int(giveBack.executing), missed: giveBack.peer)
    }
    takeBack(returned, mayComeBack: isOfPeer, &turn, at: ports.clock.now)
  }

  /// Makes jobs ready again, or ends those that have killed too many workers or are no longer wanted. Others have them
  /// at once; whether a death that only a lane told of was one shows later.
  ///
  /// - Parameter mayComeBack: Their worker did not hand them back, and may go on with them.
  private func takeBack(
    _ losses: [Workforce.Loss], mayComeBack: Bool = true, _ turn: inout Turn, at now: Moment
  ) {
    for loss in losses {
      letGo(loss.token, at: now)
      guard let id = dispatcher.job(under: loss.token), let entry = dispatcher.jobs[id] else { continue }
      let isBack = loss.unseen.map { workforce.workers[$0] != nil } ?? false
      let crashed = loss.mayBeToBlame && entry.job.kind != .echo && !isBack
      if let cause = interruptions[entry.job.batch] {
        end(entry, .cancelled, .cancelled(cause, after: entry.lastFailure), &turn, at: now)
      } else {
        turn.add(crashed ? .crash(id, loss.token) : .giveBack(id, loss.token))
        dispatcher.returned(id, crashed: crashed, at: now)
        if mayComeBack, case .leased(let lease, to: _) = entry.place {
          dispatcher.isLost(lease, of: id, wasCharged: crashed)
        }
        guard crashed else { continue }
        if let worker = loss.unseen ?? loss.missed {
          workforce.suspicions.charged(
            Suspicions.Charge(job: id, token: loss.token), with: worker, at: workforce.watched)
        }
        condemn([id], &turn, at: now)
      }
    }
  }

  /// Restores leases that were declared lost while their worker lived, unless another worker has the job by now.
  func resume(_ tokens: [LeaseToken], by worker: WorkerID, _ turn: inout Turn, at now: Moment) {
    for token in tokens where dispatcher.hasLost(token) {
      guard let resumption = dispatcher.resumed(token, by: worker, at: now) else { continue }
      turn.add(resumption)
      workforce.granted(token, to: worker, sequence: 0)
    }
  }

  /// The ledger does not let the lease go on.
  func drop(_ resumption: Dispatcher.Resumption, at now: Moment) {
    if dispatcher.job(under: resumption.lease.token) != nil {
      workforce.ended(resumption.lease.token)
      _ = dispatcher.removed(resumption.job.id, at: now)
    }
    leaveOut(resumption.job, at: now)
  }

  /// Jobs that were granted to a fetcher whose lane is gone.
  func takeBackUnsent(_ turn: inout Turn, at now: Moment) {
    for assignment in unsent {
      let (id, token) = (assignment.order.job.id, assignment.order.lease.token)
      guard dispatcher.job(under: token) == id else { continue }
      turn.add(.giveBack(id, token))
      dispatcher.returned(id, crashed: false, at: now)
    }
    unsent = []
  }

  /// Their worker lives: only the lane went down.
  private func absolve(_ charges: [Suspicions.Charge], _ turn: inout Turn, at now: Moment) {
    for charge in charges {
      guard let entry = dispatcher.jobs[charge.job] else { continue }
      turn.add(.absolve(charge.job, from: entry.crashes))
      dispatcher.absolved(charge.job, lostUnder: charge.token, at: now)
    }
  }

  /// Ends the jobs that have killed too many workers, as far as that is certain.
  private func condemn(_ jobs: [JobID], _ turn: inout Turn, at now: Moment) {
    for id in jobs where !workforce.suspicions.hasAny(of: id) {
      guard let entry = dispatcher.jobs[id], entry.crashesThatCount >= JobLife.crashesUntilPoisoned else {
        continue
      }
      end(entry, .dead, .poisoned(entry), &turn, at: now)
    }
  }
}
