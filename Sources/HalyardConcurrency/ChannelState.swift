/// What a channel holds, and who waits for what. A value: its owner resumes those whose turn has come, and drops what
/// is not wanted any more, once the lock is free.
struct ChannelState<Element: Sendable>: Sendable {
  /// Without an element the channel is over.
  typealias Reception = Result<Element?, TaskChannelError>
  typealias Receiver = CheckedContinuation<Reception, Never>
  typealias Sender = CheckedContinuation<TaskChannelError?, Never>

  /// What became of an element that was sent.
  enum Sending: Sendable {
    case kept
    /// An older one made way.
    case displaced(Element)
    case handed(Receiver)
    case refused(TaskChannelError)
    /// There is no room. The caller waits for it with this ticket.
    case full(ticket: UInt64)
  }

  enum Taking: Sendable {
    /// One that waited to send has its element in the channel now, or in the taker's hands.
    case element(Element, sent: Sender?)
    case empty(ticket: UInt64)
    case ended(Reception)
  }

  /// What is left behind when the channel ends.
  struct Leftovers: Sendable {
    var kept = Ring<Element>()
    var receivers: [Receiver] = []
    var senders: [WaitingSender] = []
  }

  struct WaitingSender: Sendable {
    var element: Element
    var continuation: Sender
  }

  private let room: Int
  private let isConflating: Bool
  private(set) var kept = Ring<Element>()
  private(set) var senders = WaitingLine<WaitingSender>()
  private(set) var receivers = WaitingLine<Receiver>()
  private var lastTicket: UInt64 = 0
  /// Nil while it is open.
  private var end: TaskChannelError?

  init(_ capacity: TaskChannelCapacity) {
    switch capacity {
    case .limited(let count):
      precondition(count >= 0, "a channel cannot hold \(count) elements")
      (room, isConflating) = (count, false)
    case .conflating: (room, isConflating) = (1, true)
    case .unbounded: (room, isConflating) = (.max, false)
    }
  }

  mutating func send(_ element: Element) -> Sending {
    if let end { return .refused(end) }
    if let receiver = receivers.popFirst() { return .handed(receiver) }
    if kept.count < room {
      kept.append(element)
      return .kept
    }
    guard isConflating, let older = kept.popFirst() else { return .full(ticket: newTicket()) }
    kept.append(element)
    return .displaced(older)
  }

  mutating func take() -> Taking {
    if let element = kept.popFirst() { return .element(element, sent: refill()) }
    if let sender = senders.popFirst() { return .element(sender.element, sent: sender.continuation) }
    guard let end else { return .empty(ticket: newTicket()) }
    return .ended(end == .closed ? .success(nil) : .failure(end))
  }

  /// Also takes from those who wait to send when that is not enough.
  ///
  /// - Parameter senders: Gets those whose elements are in the channel now, or taken.
  mutating func take(upTo limit: Int, into elements: inout [Element], sent: inout [Sender]) {
    elements.reserveCapacity(min(limit, kept.count + senders.count))
    while elements.count < limit, let element = kept.popFirst() { elements.append(element) }
    while elements.count < limit, let sender = senders.popFirst() {
      elements.append(sender.element)
      sent.append(sender.continuation)
    }
    while let sender = refill() { sent.append(sender) }
  }

  /// - Returns: What it has instead of waiting; nil when it waits.
  mutating func wait(toSend element: Element, as sender: Sender, ticket: UInt64, isCancelled: Bool)
    -> Sending?
  {
    if isCancelled { return .refused(.interrupted) }
    let sending = send(element)
    guard case .full = sending else { return sending }
    senders.append(WaitingSender(element: element, continuation: sender), ticket: ticket)
    return nil
  }

  /// - Returns: What it has instead of waiting; nil when it waits.
  mutating func wait(toReceiveAs receiver: Receiver, ticket: UInt64, isCancelled: Bool) -> Taking? {
    if isCancelled { return .ended(.failure(.interrupted)) }
    let taking = take()
    guard case .empty = taking else { return taking }
    receivers.append(receiver, ticket: ticket)
    return nil
  }

  mutating func stopSending(_ ticket: UInt64) -> WaitingSender? { senders.leave(ticket) }

  mutating func stopReceiving(_ ticket: UInt64) -> Receiver? { receivers.leave(ticket) }

  /// Takes back, before all others, what was handed to a task that cannot use it any more.
  mutating func takeBack(_ element: Element) -> Sending {
    if let end { return .refused(end) }
    if let receiver = receivers.popFirst() { return .handed(receiver) }
    // It has been replaced meanwhile.
    if isConflating, !kept.isEmpty { return .displaced(element) }
    kept.prepend(element)
    return .kept
  }

  mutating func close() -> Leftovers {
    guard end == nil else { return Leftovers() }
    end = .closed
    return Leftovers(receivers: receivers.removeAll(), senders: senders.removeAll())
  }

  mutating func cancel() -> Leftovers {
    end = .cancelled
    defer { kept = Ring() }
    return Leftovers(kept: kept, receivers: receivers.removeAll(), senders: senders.removeAll())
  }

  /// - Returns: Who waited longest to send, when there was room for its element.
  private mutating func refill() -> Sender? {
    guard !senders.isEmpty, kept.count < room, let sender = senders.popFirst() else { return nil }
    kept.append(sender.element)
    return sender.continuation
  }

  private mutating func newTicket() -> UInt64 {
    lastTicket += 1
    return lastTicket
  }
}

/// A queue that takes from the front, and gives back there, without moving what is behind.
struct Ring<Element> {
  /// As many as a power of two, so that places are found with a mask.
  private var places: [Element?] = []
  private var head = 0
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  mutating func append(_ element: Element) {
    if count == places.count { grow() }
    places[(head + count) & (places.count - 1)] = element
    count += 1
  }

  /// Puts an element before all others.
  mutating func prepend(_ element: Element) {
    if count == places.count { grow() }
    head = (head - 1) & (places.count - 1)
    places[head] = element
    count += 1
  }

  mutating func popFirst() -> Element? {
    guard count > 0 else { return nil }
    let element = places[head].take()
    head = (head + 1) & (places.count - 1)
    count -= 1
    return element
  }

  private mutating func grow() {
    var larger: [Element?] = []
    larger.reserveCapacity(max(4, places.count * 2))
    for offset in 0..<count { larger.append(places[(head + offset) & (places.count - 1)]) }
    while larger.count < max(4, places.count * 2) { larger.append(nil) }
    places = larger
    head = 0
  }
}

extension Ring: Sendable where Element: Sendable {}

/// The tasks that wait, first come, first served. One that gives up leaves by its ticket, wherever it stands.
struct WaitingLine<Waiter: Sendable>: Sendable {
  /// Those who left are still in here until they come to the front, or are too many.
  private(set) var order = Ring<UInt64>()
  private var waiters: [UInt64: Waiter] = [:]

  var isEmpty: Bool { waiters.isEmpty }
  var count: Int { waiters.count }

  /// - Parameter ticket: One that no other task has.
  mutating func append(_ waiter: Waiter, ticket: UInt64) {
    if order.count > 2 * waiters.count + 16 { forgetThoseWhoLeft() }
    order.append(ticket)
    waiters[ticket] = waiter
  }

  mutating func popFirst() -> Waiter? {
    guard !waiters.isEmpty else { return nil }
    while let ticket = order.popFirst() {
      if let waiter = waiters.removeValue(forKey: ticket) { return waiter }
    }
    return nil
  }

  /// - Returns: Nil when its turn has come already.
  mutating func leave(_ ticket: UInt64) -> Waiter? {
    waiters.removeValue(forKey: ticket)
  }

  /// In the order in which they came.
  mutating func removeAll() -> [Waiter] {
    var all: [Waiter] = []
    while let waiter = popFirst() { all.append(waiter) }
    return all
  }

  private mutating func forgetThoseWhoLeft() {
    var rest = Ring<UInt64>()
    while let ticket = order.popFirst() {
      if waiters[ticket] != nil { rest.append(ticket) }
    }
    order = rest
  }
}
