import Pipeline

/// What a mailbox holds, and who waits for what. A value; its owner wakes the tasks that wait.
struct MailboxQueue {
  private let capacity: Int
  private var envelopes = FIFO<Envelope>()
  private var notices = LaneNotices()
  /// The reader found nothing, and has not been woken since.
  private var isAwaited = false
  /// How long it waits; nil for ever.
  private var awaitedUntil: Moment?
  private var waitingWriters = 0
  private var alarm: (moment: Moment, task: Task<Void, Never>)?
  private(set) var isClosed = false

  init(capacity: Int) {
    self.capacity = capacity
  }

  private var isEmpty: Bool { envelopes.isEmpty && notices.isEmpty }

  /// Whether a whole burst can be taken now, and no earlier sender waits.
  func hasRoom(for count: Int) -> Bool {
    !isClosed && waitingWriters == 0 && envelopes.count + count <= capacity
  }

  /// - Returns: How many there was room for.
  @discardableResult
  mutating func append(contentsOf burst: ArraySlice<Envelope>) -> Int {
    guard !isClosed else { return 0 }
    let fitting = burst.prefix(max(0, capacity - envelopes.count))
    for envelope in fitting { envelopes.append(envelope) }
    return fitting.count
  }

  /// - Parameter moment: Until when the reader waits that gets nothing.
  mutating func take(atMost limit: Int, until moment: Moment?) -> [Delivery] {
    (isAwaited, awaitedUntil) = (isEmpty, isEmpty ? moment : nil)
    guard !isEmpty else { return [] }
    let told = notices.popFirst(atMost: limit)
    var taken = told.before
    let room = limit - told.after.count
    taken.reserveCapacity(min(limit, taken.count + envelopes.count + told.after.count))
    while taken.count < room, let envelope = envelopes.popFirst() { taken.append(.envelope(envelope)) }
    return taken + told.after
  }

  mutating func add(_ notice: LaneNotice) {
    if !isClosed { notices.add(notice) }
  }

  /// - Returns: The alarm that is no longer needed.
  mutating func close() -> Task<Void, Never>? {
    defer { alarm = nil }
    isClosed = true
    notices = LaneNotices()
    return alarm?.task
  }

  /// Whether the reader is to be woken; once, however much comes until it looks.
  mutating func wakesReader() -> Bool {
    defer { if !isEmpty { isAwaited = false } }
    return isAwaited && !isEmpty
  }

  mutating func writerWaits() { waitingWriters += 1 }

  mutating func writerWoke() { waitingWriters -= 1 }

  /// Whether there is room for a waiting sender.
  var wakesWriter: Bool { waitingWriters > 0 && envelopes.count < capacity }

  func needsAlarm(at moment: Moment) -> Bool {
    guard !isClosed, let alarm else { return !isClosed }
    return moment < alarm.moment
  }

  /// - Returns: The alarm for a later moment, which is not needed any more.
  mutating func setAlarm(at moment: Moment, _ task: Task<Void, Never>) -> Task<Void, Never>? {
    defer { alarm = (moment, task) }
    return alarm?.task
  }

  /// - Returns: Whether the reader has waited long enough, or else when to look again.
  mutating func alarmRang(_ moment: Moment, at now: Moment) -> (isAwaited: Bool, next: Moment?) {
    guard alarm?.moment == moment else { return (false, nil) }
    alarm = nil
    guard isAwaited, let awaitedUntil else { return (false, nil) }
    return awaitedUntil <= now ? (true, nil) : (false, awaitedUntil)
  }
}
