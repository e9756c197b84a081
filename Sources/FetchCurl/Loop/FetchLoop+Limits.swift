internal import Curl
internal import Pipeline
internal import Posix

/// Everything that ends an exchange from this side.
extension FetchLoop {
  private static let sweepMicroseconds: Int64 = 50_000
  private static let idleMilliseconds = 600_000

  /// Limits are looked at every 50 ms, not at every wake-up.
  func sweepWhenDue() {
    let now = SystemTime.monotonicMicroseconds
    guard now >= nextSweep else { return }
    nextSweep = now + Self.sweepMicroseconds
    for transfer in transfers {
      transfer.receiver.lookForHandshake()
      if let result = transfer.overdue(at: now) ?? excess(of: transfer) { end(transfer, result) }
    }
    endShortage(at: now)
    for order in waiting.take(where: { now >= $0.deadline }) {
      answers.append((order, .failure(order.timeout(at: .queue, "waiting for its turn", now: now))))
    }
    for entry in takeCollected(where: { now >= $0.deadline }) {
      answers.append((entry.order, .success(entry.overdue(at: now))))
    }
    for lookup in lookups.take(where: { now >= $0.limit }) {
      let failure = lookup.overdue(limitMilliseconds: settings.nameLookupLimit)
      answers.append((lookup.order, .failure(failure)))
    }
  }

  /// The answer of an exchange whose connection receives more than it may; nil mostly.
  private func excess(of transfer: Transfer) -> Result<FetchResponse, Failure>? {
    guard let order = transfer.order, let connection = transfer.receiver.connection else { return nil }
    guard transfer.receiver.isWatched else {
      transfer.receiver.isWatched = true
      return nil
    }
    guard traffic.bytesPerExchange(on: connection) > Int64(settings.trafficCapBytes) else { return nil }
    return transfer.flooded(order)
  }

  func waitMilliseconds() -> Int {
    if waiting.hasNext(room: room.free), isRoom { return 0 }
    let isIdle =
      freeTags.count == transfers.count && lookups.isEmpty && collected.entries.isEmpty && waiting.isEmpty
    guard !isIdle else { return Self.idleMilliseconds }
    let left = nextSweep - SystemTime.monotonicMicroseconds
    return Int(max(left, 0) / 1_000) + 1
  }

  func endCancelled() {
    end(where: { $0.ticket.isCancelled }, as: { $0.cancellation(at: $1) })
  }

  /// The last act of the thread.
  func endAll(because closing: Closing) {
    let content = mailbox.close(because: closing)
    for job in content.jobs { job.runAnywhere() }
    for order in content.orders { waiting.append(order) }
    end(where: { _ in true }, as: { request, _ in closing.failure(for: request) })
    deliver()
  }

  /// Ends the orders that meet the condition, wherever they are.
  private func end(
    where condition: (FetchOrder) -> Bool, as failure: (FetchRequest, Stage) -> Failure
  ) {
    for order in waiting.take(where: condition) {
      answers.append((order, .failure(failure(order.request, .queue))))
    }
    for transfer in transfers {
      guard let order = transfer.order, condition(order) else { continue }
      end(transfer, .failure(failure(order.request, transfer.receiver.phase.stage)))
    }
    for entry in takeCollected(where: condition) {
      answers.append((entry.order, .failure(failure(entry.order.request, .body))))
    }
    for lookup in lookups.take(where: { condition($0.order) }) {
      answers.append((lookup.order, .failure(failure(lookup.order.request, .dns))))
    }
  }

  func deliver() {
    for answer in answers { answer.order.finish(answer.result) }
    answers.removeAll(keepingCapacity: true)
  }
}
