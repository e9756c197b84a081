import Pipeline
import Posix

/// A bounded queue of envelopes, and of notices, with one reader. Readers wait while it is empty, writers while it is full.
///
/// A lock and no actor: who finds room, or a message, goes on at once.
final class Mailbox: Inbox, Sendable {
  let address: Address
  let watchers = LaneWatchers()
  private let clock: any PipelineClock
  private let queue: Lock<MailboxQueue>

  init(address: Address, capacity: Int, clock: any PipelineClock) {
    self.address = address
    self.clock = clock
    queue = Lock(MailboxQueue(capacity: max(1, capacity)))
  }

  var isClosed: Bool { queue.withLock { $0.isClosed } }

  /// - Returns: False when it would have to wait; nothing of the burst is taken then.
  func offer(_ burst: [Envelope]) -> Bool {
    let (isTaken, reader) = queue.withLock { queue in
      let isTaken = queue.hasRoom(for: burst.count)
      if isTaken { queue.append(contentsOf: burst[...]) }
      return (isTaken, isTaken ? queue.takeReader() : nil)
    }
    reader?.resume()
    return isTaken
  }

  func put(_ burst: [Envelope]) async throws {
    var rest = burst[...]
    while true {
      let (isClosed, reader) = queue.withLock { queue in
        rest = rest.dropFirst(queue.append(contentsOf: rest))
        return (queue.isClosed, queue.takeReader())
      }
      reader?.resume()
      guard !isClosed else { throw TransportError.closed(address) }
      if rest.isEmpty { return }
      try Task.checkCancellation()
      await waitForRoom()
    }
  }

  func receive(atMost limit: Int, until moment: Moment?) async throws -> [Delivery] {
    while true {
      let (taken, isClosed, writers) = queue.withLock { queue in
        let taken = queue.take(atMost: limit)
        return (taken, queue.isClosed, taken.isEmpty ? [] : queue.takeWriters())
      }
      for writer in writers { writer.resume() }
      if !taken.isEmpty { return taken }
      try Task.checkCancellation()
      guard !isClosed else { throw TransportError.closed(address) }
      if let moment, clock.now >= moment { return [] }
      await waitForMessages(until: moment)
    }
  }

  func note(_ notice: LaneNotice) async {
    let reader = queue.withLock { queue in
      queue.add(notice)
      return queue.takeReader()
    }
    reader?.resume()
  }

  func close() async {
    let (reader, writers, alarm) = queue.withLock { queue in
      (queue.takeReader(), queue.takeWriters(), queue.close())
    }
    alarm?.cancel()
    reader?.resume()
    for writer in writers { writer.resume() }
    for inbox in watchers.removeAll() { await inbox.note(LaneNotice(address: address, isUp: false)) }
  }

  private func waitForRoom() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let waits = queue.withLock { $0.wait(toWrite: continuation, isCancelled: Task.isCancelled) }
        if !waits { continuation.resume() }
      }
    } onCancel: {
      for writer in queue.withLock({ $0.takeWriters() }) { writer.resume() }
    }
  }

  private func waitForMessages(until moment: Moment?) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let waits = queue.withLock {
          $0.wait(toRead: continuation, until: moment, isCancelled: Task.isCancelled)
        }
        if !waits { continuation.resume() }
        if let moment { arm(moment) }
      }
    } onCancel: {
      queue.withLock { $0.takeReader() }?.resume()
    }
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
    let (reader, next) = queue.withLock { $0.alarmRang(moment, at: now) }
    reader?.resume()
    if let next { arm(next) }
  }
}
