import Pipeline
import Scheduling

/// Workers that finish what they have and end, because a client or they themselves want it.
extension Aggregator {
  /// A client's wish. It is answered when the worker has said that it drains, or is gone, so it holds even if this process
  /// dies after the answer.
  func take(drainOf worker: WorkerID, _ query: Query) {
    if !query.isLate(at: ports.clock.now) { answerOrTell(worker, query) }
  }

  /// It says that it takes nothing new.
  func isLeaving(_ worker: WorkerID) {
    if registry.workers[worker]?.isLeaving == false {
      ports.log.record(.info, "worker finishes what it has, and ends", fields(of: worker))
    }
    registry.noteLeaving(worker)
    getsNothingNew(worker)
    answerDrain(of: worker)
  }

  /// What became of the wish to drain it, now that it drains or is gone. Other clients ask again.
  func answerDrain(of worker: WorkerID) {
    if let query = drainWishes.removeValue(forKey: worker) { answerOrTell(worker, query) }
  }

  private func answerOrTell(_ worker: WorkerID, _ query: Query) {
    switch registry.drainWished(worker) {
    case .tell:
      drainWishes[worker] = query
      getsNothingNew(worker)
      connections.add(.drain, to: worker)
    case .leaving(let jobs): answer(.leaving(jobs: UInt32(clamping: jobs)), of: worker, to: query)
    case .gone: answer(.gone, of: worker, to: query)
    }
  }

  private func getsNothingNew(_ worker: WorkerID) {
    dispatcher.fetcherLeft(worker)
    if registry.workers[worker]?.role == .decoder { sendRoster() }
  }

  private func answer(_ outcome: DrainOutcome, of worker: WorkerID, to query: Query) {
    connections.add(.answer(.drained(worker, outcome, to: query.id)), to: query.replyTo)
  }
}
