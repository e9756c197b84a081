import HalyardConcurrency
import Pipeline
import Posix

/// A bounded queue of envelopes, and of notices, with one reader. Readers wait while it is empty, writers while it is full.
///
/// A lock and no actor: who finds room, or a message, goes on at once. Only who does not waits, for the ring of a channel.
final class Mailbox: Inbox, Sendable {
  let address: Address
  let watchers = LaneWatchers()
  private let clock: any PipelineClock
  private let queue: Lock<MailboxQueue>
  /// Rings for a reader that waits, when there is something to look at.
  private let arrivals = TaskChannel<Void>(capacity: .conflating)
  /// Rings for one writer that waits, when there is room; one that leaves some rings for the next.
  private let room = TaskChannel<Void>(capacity: .conflating)

  init(address: Address, capacity: Int, clock: any PipelineClock) {
    self.address = address
    self.clock = clock
    queue = Lock(MailboxQueue(capacity: max(1, capacity)))
  }

  var isClosed: Bool { queue.withLock { $0.isClosed } }

  /// - Returns: False when it would have to wait; nothing of the burst is taken then.
  func offer(_ burst: [Envelope]) -> Bool {
    let (isTaken, isAwaited) = queue.withLock { queue in
      let isTaken = queue.hasRoom(for: burst.count)
      if isTaken { queue.append(contentsOf: burst[...]) }
      return (isTaken, isTaken && queue.wakesReader())
    }
    if isAwaited { ring(arrivals) }
    return isTaken
  }

  func put(_ burst: [Envelope]) async throws {
    var rest = burst[...]
    var hasWaited = false
    while true {
      let (isClosed, isAwaited, wakesNext) = queue.withLock { queue in
        if hasWaited { queue.writerWoke() }
        rest = rest.dropFirst(queue.append(contentsOf: rest))
        if !rest.isEmpty { queue.writerWaits() }
        return (queue.isClosed, queue.wakesReader(), queue.wakesWriter)
      }
      if isAwaited { ring(arrivals) }
      if wakesNext { ring(room) }
      guard !isClosed else { throw TransportError.closed(address) }
      if rest.isEmpty { return }
      hasWaited = true
      do throws(TaskChannelError) { _ = try await room.receive() } catch {
        queue.withLock { $0.writerWoke() }
        throw CancellationError()
      }
    }
  }

  func receive(atMost limit: Int, until moment: Moment?) async throws -> [Delivery] {
    while true {
      let (taken, isClosed, wakesWriter) = queue.withLock { queue in
        (queue.take(atMost: limit, until: moment), queue.isClosed, queue.wakesWriter)
      }
      if wakesWriter { ring(room) }
      if !taken.isEmpty { return taken }
      try Task.checkCancellation()
      guard !isClosed else { throw TransportError.closed(address) }
      if let moment {
        if clock.now >= moment { return [] }
        arm(moment)
      }
      // Cancelled, it looks once more, and ends there.
      _ = try? await arrivals.receive()
    }
  }

  func note(_ notice: LaneNotice) async {
    let isAwaited = queue.withLock { queue in
      queue.add(notice)
      return queue.wakesReader()
    }
    if isAwaited { ring(arrivals) }
  }

  func close() async {
    queue.withLock { $0.close() }?.cancel()
    arrivals.close()
    room.close()
    for inbox in watchers.removeAll() { await inbox.note(LaneNotice(address: address, isUp: false)) }
  }

  /// A conflating channel takes everything; one that is closed has no task left to wake.
  private func ring(_ bell: TaskChannel<Void>) {
    _ = try? bell.offer(())
  }

  /// One alarm serves many waits: it is set anew only for an earlier moment.
  private func arm(_ moment: Moment) {
    let later = queue.withLock { queue -> Task<Void, Never>? in
      guard queue.needsAlarm(at: moment) else { return nil }
      // Made under the lock: it may ring before this thread comes any further.
      return queue.setAlarm(
        at: moment,
        Task { [weak self, clock] in
          guard (try? await clock.sleep(until: moment)) != nil else { return }
          self?.alarmRang(moment)
        })
    }
    later?.cancel()
  }

  private func alarmRang(_ moment: Moment) {
    let now = clock.now
    let (isAwaited, next) = queue.withLock { $0.alarmRang(moment, at: now) }
    if isAwaited { ring(arrivals) }
    if let next { arm(next) }
  }
}

/// Who wants to know when a mailbox closes.
final class LaneWatchers: Sendable {
  private let inboxes = Lock<[ObjectIdentifier: any Inbox]>([:])

  func add(_ inbox: any Inbox, for outlet: ObjectIdentifier) {
    inboxes.withLock { $0[outlet] = inbox }
  }

  func remove(_ outlet: ObjectIdentifier) {
    inboxes.withLock { $0[outlet] = nil }
  }

  func removeAll() -> [any Inbox] {
    inboxes.withLock { inboxes in
      defer { inboxes = [:] }
      return Array(inboxes.values)
    }
  }
}
