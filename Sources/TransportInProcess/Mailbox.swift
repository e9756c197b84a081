import Pipeline

/// A bounded queue of envelopes, and of notices, with one reader. Readers wait while it is empty, writers while it is full.
actor Mailbox: Inbox {
  nonisolated let address: Address
  nonisolated let watchers = LaneWatchers()
  private let capacity: Int
  private let clock: any PipelineClock
  private var queue = FIFO<Envelope>()
  private var notices = LaneNotices()
  private var reader: Reader?
  private var writers = FIFO<CheckedContinuation<Void, Never>>()
  private var alarm: Alarm?
  private(set) var isClosed = false

  private struct Reader {
    var until: Moment?
    var continuation: CheckedContinuation<Void, Never>
  }

  private struct Alarm {
    var moment: Moment
    var task: Task<Void, Never>
  }

  init(address: Address, capacity: Int, clock: any PipelineClock) {
    self.address = address
    self.capacity = max(1, capacity)
    self.clock = clock
  }

  func put(_ burst: [Envelope]) async throws {
    for envelope in burst {
      while queue.count >= capacity, !isClosed {
        try Task.checkCancellation()
        wakeReader()
        await waitForRoom()
      }
      guard !isClosed else { throw TransportError.closed(address) }
      queue.append(envelope)
    }
    wakeReader()
  }

  func receive(atMost limit: Int, until moment: Moment?) async throws -> [Delivery] {
    while queue.isEmpty, notices.isEmpty {
      try Task.checkCancellation()
      guard !isClosed else { throw TransportError.closed(address) }
      if let moment, clock.now >= moment { return [] }
      await waitForMessages(until: moment)
    }
    let told = notices.popFirst(atMost: limit)
    let burst = queue.popFirst(atMost: limit - told.count)
    wakeWriters()
    return told.map(Delivery.lane) + burst.map(Delivery.envelope)
  }

  func note(_ notice: LaneNotice) {
    guard !isClosed else { return }
    notices.add(notice)
    wakeReader()
  }

  func close() async {
    isClosed = true
    notices = LaneNotices()
    alarm?.task.cancel()
    alarm = nil
    wakeReader()
    wakeWriters()
    for inbox in watchers.removeAll() { await inbox.note(LaneNotice(address: address, isUp: false)) }
  }

  private func waitForRoom() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if Task.isCancelled {
          continuation.resume()
        } else {
          writers.append(continuation)
        }
      }
    } onCancel: {
      Task { await self.wakeWriters() }
    }
  }

  private func waitForMessages(until moment: Moment?) async {
    if let moment { arm(moment) }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if Task.isCancelled {
          continuation.resume()
        } else {
          reader = Reader(until: moment, continuation: continuation)
        }
      }
    } onCancel: {
      Task { await self.wakeReader() }
    }
  }

  /// All of them: each looks again whether there is room for it, and whether it is still wanted.
  private func wakeWriters() {
    while let writer = writers.popFirst() { writer.resume() }
  }

  private func wakeReader() {
    reader?.continuation.resume()
    reader = nil
  }

  /// One alarm serves many waits: it is set anew only for an earlier moment.
  private func arm(_ moment: Moment) {
    if let alarm, alarm.moment <= moment { return }
    alarm?.task.cancel()
    let task = Task { [weak self, clock] in
      guard (try? await clock.sleep(until: moment)) != nil else { return }
      await self?.alarmRang(moment)
    }
    alarm = Alarm(moment: moment, task: task)
  }

  private func alarmRang(_ moment: Moment) {
    guard alarm?.moment == moment else { return }
    alarm = nil
    guard let until = reader?.until else { return }
    if until <= clock.now {
      wakeReader()
    } else {
      arm(until)
    }
  }
}
