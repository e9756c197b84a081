import Pipeline
import Scheduling

/// Workers that finish what they have and end, because a client or they themselves want it.
extension Aggregator {
  /// A client's order. It is answered when the worker has said that it drains, or is gone, so it holds even if this process
  /// dies after the answer. Until then each repetition tells the worker again.
  func take(_ order: DrainOrder, _ ask: Ask) {
    switch registry.drainWished(order.worker, dispatcher.leases) {
    case .tell:
      drainWishes[order.worker] = ask
      getsNothingNew(order.worker)
      connections.add(.drain, to: order.worker)
    case .leaving(let jobs): say(DrainOrder.Reply.leaving(jobs: UInt32(clamping: jobs)), to: ask)
    case .gone: say(DrainOrder.Reply.gone, to: ask)
    }
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
