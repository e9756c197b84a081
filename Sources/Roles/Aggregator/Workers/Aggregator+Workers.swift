import Pipeline

/// Who works, and what comes back from those who stop.
extension Aggregator {
  func meet(_ hello: Hello, in envelope: Envelope, _ transaction: inout Transaction) async {
    guard hello.fits, registry.hasRoom(for: hello.worker) else { return }
    if registry.workers[hello.worker] == nil, !newcomers.mayBring(envelope.peer, at: ports.clock.now) {
      _ = refuse(envelope, because: "its sender is too many workers")
      return
    }
    guard await connections.meet(hello.worker, at: hello.address, envelope.secret) else {
      _ = refuse(envelope, because: "its address is another's")
      return
    }
    let now = ports.clock.now
    if settings.workersMayLive, hello.role != .producer { transaction.seen.append(hello.worker) }
    let before = registry.workers[hello.worker]
    let lost = registry.spoke(hello, over: envelope.secret, &dispatcher.leases, at: now)
    let absolved = registry.suspicions.spoke(hello.worker)
    absolve(absolved, &transaction, at: now)
    // Not that of a producer or an aggregator: nothing is kept of them, so they would be judged anew each time.
    guard registry.workers[hello.worker]?.role == hello.role else { return }
    judge(hello)
    guard let worker = registry.workers[hello.worker] else { return }
    let held = worker.difference == nil ? hello.held : []
    goOn(hello.worker, resume(held, by: hello.worker, &transaction, at: now), absolved: absolved.count)
    if worker.isToDrain { connections.add(.drain, to: hello.worker) }
    switch worker.role {
    case .fetcher:
      switch worker.verdict {
      case .refused: dispatcher.fetcherLeft(hello.worker)
      case .draining: break
      case .compatible:
        dispatcher.fetcherSpoke(
          hello, hasLostJobs: lost.contains(where: \.neverArrived), watched: registry.watched)
      }
      connections.add(.roster(roster(for: hello.worker, in: worker.locality)), to: hello.worker)
    case .decoder:
      dispatcher.fetcherLeft(hello.worker)
      if before?.role != .decoder || before?.address != worker.address { sendRoster() }
    case .producer, .aggregator: break
    }
    requeueLost(lost, &transaction, at: now)
  }

  /// "Counts as dead" is not to stay the last word about it.
  private func goOn(_ worker: WorkerID, _ resumed: Int, absolved: Int) {
    guard registry.cameBack(worker) else { return }
    ports.log.record(
      .info, "a worker that counted as dead is back, and goes on with the jobs that no other worker has",
      fields(of: worker) + [LogField("jobs", resumed), LogField("charges taken back", absolved)])
  }

  /// One that differs from its fleet stays, because it may hold leases, and gets nothing more to do.
  private func judge(_ hello: Hello) {
    let difference = settings.program.difference(of: hello.program)
    guard registry.differs(hello.worker, difference), let difference else { return }
    ports.log.record(
      .warning, "worker gets nothing to do: it differs from its fleet",
      fields(of: hello.worker) + [LogField("difference", difference)])
  }

  /// A lane that went down is the fastest sign that the peer is gone.
  func take(_ notice: LaneNotice, _ transaction: inout Transaction) async {
    let worker = registry.worker(at: notice.address)
    if notice.isUp || notice.mayBeReload, let worker { registry.heard(notice, of: worker) }
    guard !notice.isUp else { return connections.reached(notice.address) }
    if let worker {
      if notice.mayBeReload { return }
      await forget(worker, isCertain: false, &transaction)
    } else {
      followers.left(notice.address)
      submitters.left(notice.address)
      await connections.forget(notice.address)
    }
  }

  /// It has told all it had to tell; what it still holds by our books never reached it.
  func take(_ bye: Bye, _ transaction: inout Transaction) async {
    registry.noteLeaving(bye.worker, &dispatcher.leases)
    absolve(registry.suspicions.spoke(bye.worker), &transaction, at: ports.clock.now)
    await forget(bye.worker, &transaction)
  }

  func forget(_ worker: WorkerID, isCertain: Bool = true, _ transaction: inout Transaction) async {
    let now = ports.clock.now
    let wasDecoder = registry.workers[worker]?.role == .decoder
    dispatcher.fetcherLeft(worker)
    let lost = registry.died(worker, isCertain: isCertain, &dispatcher.leases, at: now)
    answerDrain(of: worker)
    await connections.forget(worker)
    if wasDecoder { sendRoster() }
    requeueLost(lost, &transaction, at: now)
  }

  /// Leases that no worker lists any more, and workers and clients that have been silent for too long.
  func lookAfterOthers(_ transaction: inout Transaction, at now: Moment) async {
    registry.listens(at: now)
    let absent = registry.findAbsent()
    for worker in absent.silent {
      let isMet = registry.workers[worker]?.address != nil
      ports.log.record(
        .warning,
        isMet
          ? "worker is silent, its jobs go to others"
          : "worker of an aggregator before this one has not come back, its jobs go to others",
        fields(of: worker))
      await forget(worker, &transaction)
    }
    for worker in absent.stayedAway {
      if registry.workers[worker]?.cut?.isOwn == true {
        ports.log.record(.warning, "worker has not come back to a lane that was cut", fields(of: worker))
      }
      await forget(worker, isCertain: false, &transaction)
    }
    requeueLost(dispatcher.leases.overdue(at: now), &transaction, at: now)
    endPoisoned(registry.suspicions.confirmed(at: registry.watched), &transaction, at: now)
    for address in await connections.forgetSilent(at: now) {
      followers.left(address)
      submitters.left(address)
    }
  }

  /// Who a worker is, for the log.
  func fields(of id: WorkerID) -> [LogField] {
    guard let worker = registry.workers[id] else { return [.worker(id)] }
    // One of which only the ledger tells.
    guard let address = worker.address else { return [.worker(id), LogField("role", worker.role.name)] }
    let process = worker.hello?.program?.knownProcess.map { LogField("process", $0) }
    return [
      .worker(id), LogField("role", worker.role.name), LogField("locality", worker.locality),
      LogField("address", address.text),
    ] + (process.map { [$0] } ?? [])
  }

  func sendRoster() {
    for fetcher in registry.ids(of: .fetcher) {
      guard let locality = registry.workers[fetcher]?.locality else { continue }
      connections.add(.roster(roster(for: fetcher, in: locality)), to: fetcher)
    }
  }

  /// Documents do not leave their locality. Each fetcher is told the secrets of its own lanes.
  private func roster(for fetcher: WorkerID, in locality: String) -> Roster {
    let peers = registry.workers.compactMap { id, worker in
      worker.role == .decoder && worker.locality == locality && worker.verdict == .compatible
        ? worker.address.map {
          Roster.Peer(worker: id, address: $0, secret: worker.secret.shared(with: fetcher))
        } : nil
    }
    var roster = Roster(decoders: peers.sorted { $0.worker < $1.worker })
    roster.fetchOptions = settings.handed.value?.hash
    return roster
  }

  func take(_ giveBack: GiveBack, _ transaction: inout Transaction) {
    if giveBack.reason == .draining { isLeaving(giveBack.from) }
    requeueLost(
      dispatcher.leases.losses(in: giveBack), mayComeBack: giveBack.reason == .peerLost, &transaction,
      at: ports.clock.now)
  }
}

/// Workers that finish what they have and end, because a client or they themselves want it.
extension Aggregator {
  /// A client's order. It is answered when the worker has said that it drains, or is gone, so it holds even if this process
  /// dies after the answer. Until then each repetition tells the worker again.
  func take(_ order: DrainOrder, _ ask: Ask) {
    if let reply = registry.drainWished(order.worker, dispatcher.leases) { return say(reply, to: ask) }
    drainWishes[order.worker] = ask
    getsNothingNew(order.worker)
    connections.add(.drain, to: order.worker)
  }

  /// It says that it takes nothing new.
  func isLeaving(_ worker: WorkerID) {
    if registry.workers[worker]?.isLeaving == false {
      ports.log.record(.info, "worker finishes what it has, and ends", fields(of: worker))
    }
    registry.noteLeaving(worker, &dispatcher.leases)
    getsNothingNew(worker)
    answerDrain(of: worker)
  }

  /// What became of the wish to drain it, now that it drains or is gone. Other clients ask again.
  func answerDrain(of worker: WorkerID) {
    if let ask = drainWishes.removeValue(forKey: worker) { take(DrainOrder(worker), ask) }
  }

  private func getsNothingNew(_ worker: WorkerID) {
    dispatcher.fetcherLeft(worker)
    if registry.workers[worker]?.role == .decoder { sendRoster() }
  }
}
