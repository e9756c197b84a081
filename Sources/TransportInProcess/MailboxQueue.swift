import Pipeline

/// What a mailbox holds, and who waits for what. A value; whoever waits is woken by its owner.
struct MailboxQueue {
  typealias Waiter = CheckedContinuation<Void, Never>

  private let capacity: Int
  private var envelopes = FIFO<Envelope>()
  private var notices = LaneNotices()
  private var reader: (waiter: Waiter, until: Moment?)?
  private var writers: [Waiter] = []
  private var alarm: (moment: Moment, task: Task<Void, Never>)?
  private(set) var isClosed = false

  init(capacity: Int) {
    self.capacity = capacity
  }

  private var isEmpty: Bool { envelopes.isEmpty && notices.isEmpty }

  /// Whether a whole burst can be taken now, and nobody waits who came before.
  func hasRoom(for count: Int) -> Bool {
    !isClosed && writers.isEmpty && envelopes.count + count <= capacity
  }

  /// - Returns: How many there was room for.
  @discardableResult
  mutating func append(contentsOf burst: ArraySlice<Envelope>) -> Int {
    guard !isClosed else { return 0 }
    let fitting = burst.prefix(max(0, capacity - envelopes.count))
    for envelope in fitting { envelopes.append(envelope) }
    return fitting.count
  }

  mutating func take(atMost limit: Int) -> [Delivery] {
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

  /// - Returns: The alarm that nobody needs any more.
  mutating func close() -> Task<Void, Never>? {
    defer { alarm = nil }
    isClosed = true
    notices = LaneNotices()
    return alarm?.task
  }

  /// - Returns: False when there is something to look at already.
  mutating func wait(toRead waiter: Waiter, until moment: Moment?, isCancelled: Bool) -> Bool {
    guard isEmpty, !isClosed, !isCancelled else { return false }
    reader = (waiter, moment)
    return true
  }

  /// - Returns: False when there is something to look at already.
  mutating func wait(toWrite waiter: Waiter, isCancelled: Bool) -> Bool {
    guard envelopes.count >= capacity, !isClosed, !isCancelled else { return false }
    writers.append(waiter)
    return true
  }

  mutating func takeReader() -> Waiter? {
    defer { reader = nil }
    return reader?.waiter
  }

  /// All of them: each looks again whether there is room for it, and whether it is still wanted.
  mutating func takeWriters() -> [Waiter] {
    defer { writers = [] }
    return writers
  }

  func needsAlarm(at moment: Moment) -> Bool {
    guard !isClosed, let alarm else { return !isClosed }
    return moment < alarm.moment
  }

  /// - Returns: The alarm for a later moment, which is not needed any more.
  mutating func setAlarm(at moment: Moment, _ task: Task<Void, Never>) -> Task<Void, Never>? {
    defer { alarm = (moment, task) }
    return alarm?.task
  }

  /// - Returns: Who has waited long enough, or else when to look again.
  mutating func alarmRang(_ moment: Moment, at now: Moment) -> (reader: Waiter?, next: Moment?) {
    guard alarm?.moment == moment else { return (nil, nil) }
    alarm = nil
    guard let until = reader?.until else { return (nil, nil) }
    return until <= now ? (takeReader(), nil) : (nil, until)
  }
}
