import Pipeline

/// Who works, and what comes back from those who stop.
extension Aggregator {
  func meet(_ hello: Hello) async {
    await switchboard.meet(hello.worker, at: hello.address)
    switch hello.role {
    case .fetcher:
      dispatcher.fetcherSpoke(hello)
      switchboard.add(.roster(roster), to: hello.worker)
    case .decoder:
      let peer = Roster.Peer(worker: hello.worker, address: hello.address)
      guard decoders.updateValue(peer, forKey: hello.worker) == nil else { return }
      for fetcher in dispatcher.fetcherIDs { switchboard.add(.roster(roster), to: fetcher) }
    case .producer, .aggregator: return
    }
  }

  var roster: Roster {
    Roster(decoders: decoders.values.sorted { $0.worker < $1.worker })
  }

  func forget(_ worker: WorkerID) {
    dispatcher.fetcherLeft(worker)
    decoders[worker] = nil
    switchboard.forget(worker)
  }

  func take(_ giveBack: GiveBack, _ turn: inout Turn) {
    let now = ports.clock.now
    for (index, token) in giveBack.tokens.enumerated() {
      guard let id = dispatcher.job(under: token), let entry = dispatcher.jobs[id] else { continue }
      let crashed = index < Int(giveBack.executing)
      if let cause = interrupted[entry.job.batch] {
        end(entry, .cancelled, .cancelled(cause, after: entry.lastFailure), &turn, at: now)
      } else if crashed, entry.crashes + 1 >= JobLife.crashesUntilPoisoned {
        end(entry, .dead, .poisoned(entry), &turn, at: now)
      } else {
        turn.add(crashed ? .crash(id, token) : .giveBack(id, token))
        dispatcher.returned(id, crashed: crashed, at: now)
      }
    }
  }
}
