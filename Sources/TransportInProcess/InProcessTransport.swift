import HalyardConcurrency
package import Pipeline
import Posix

/// The transport inside one process: inboxes are bounded queues, and nothing is copied or encoded. A message that a
/// frame could not hold is refused as between processes, so that what works here works there.
package actor InProcessTransport: Transport {
  private let capacity: Int
  private let clock: any PipelineClock
  private var mailboxes: [Address: Mailbox] = [:]

  /// - Parameter capacity: Messages an inbox holds before its senders wait.
  package init(capacity: Int = 4_096, clock: any PipelineClock) {
    self.capacity = capacity
    self.clock = clock
  }

  package func bind(_ address: Address) async throws -> any Inbox {
    if let bound = mailboxes[address], !bound.isClosed { throw TransportError.addressInUse(address) }
    let mailbox = Mailbox(address: address, capacity: capacity, clock: clock)
    mailboxes[address] = mailbox
    return mailbox
  }

  package func connect(to address: Address, notifying inbox: (any Inbox)?) async throws -> any Outlet {
    guard let mailbox = mailboxes[address] else { throw TransportError.unreachable(address) }
    let outlet = InProcessOutlet(mailbox: mailbox, notifying: inbox)
    await inbox?.note(LaneNotice(address: address, isUp: !mailbox.isClosed))
    return outlet
  }
}

/// A lane is up as long as its mailbox is open.
private final class InProcessOutlet: Outlet {
  private let mailbox: Mailbox

  init(mailbox: Mailbox, notifying inbox: (any Inbox)?) {
    self.mailbox = mailbox
    if let inbox { mailbox.watchers.withLock { $0[ObjectIdentifier(self)] = inbox } }
  }

  deinit {
    stopWatching()
  }

  private func stopWatching() { mailbox.watchers.withLock { $0[ObjectIdentifier(self)] = nil } }

  func offer(_ burst: [Envelope]) -> Bool {
    burst.allSatisfy { Self.fits($0.message) } && mailbox.offer(burst)
  }

  /// What fetchers and decoders make of a page they have measured: it is looked at again only when it is long.
  private static func fits(_ message: Message) -> Bool {
    switch message {
    case .document(let document) where document.body.count < shortBytes: true
    case .result(let result) where result.members.count < shortBytes: true
    default: EnvelopeCodec.fits(message)
    }
  }

  private static let shortBytes = 1 << 20

  func send(_ burst: [Envelope]) async throws {
    var (fitting, refusal) = ([Envelope](), TransportError?.none)
    fitting.reserveCapacity(burst.count)
    for envelope in burst {
      do throws(FrameTooLarge) {
        try EnvelopeCodec.check(envelope.message)
        fitting.append(envelope)
      } catch {
        refusal = refusal ?? .tooLarge(bytes: error.bytes, limit: error.limit)
      }
    }
    try await mailbox.put(fitting)
    if let refusal { throw refusal }
  }

  func receiverSpoke() {}

  func close() async { stopWatching() }
}

/// A bounded queue of envelopes, and of notices, with one reader. Readers wait while it is empty, writers while it is full.
///
/// A lock and no actor: who finds room, or a message, goes on at once. Only who does not waits, for the ring of a channel.
final class Mailbox: Inbox, Sendable {
  let address: Address
  /// Who wants to know when it closes, by their outlets.
  let watchers = Lock<[ObjectIdentifier: any Inbox]>([:])
  private let clock: any PipelineClock
  private let queue: Lock<MailboxQueue>
  /// Rings for a reader that has waited long enough.
  private let alarm = Lock(Alarm())
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
        (queue.take(atMost: limit), queue.isClosed, queue.wakesWriter)
      }
      if wakesWriter { ring(room) }
      if !taken.isEmpty { return taken }
      try Task.checkCancellation()
      guard !isClosed else { throw TransportError.closed(address) }
      if let moment {
        if clock.now >= moment { return [] }
        alarm.withLock { $0.set(for: moment, clock) { [arrivals] in _ = try? arrivals.offer(()) } }
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
    queue.withLock { $0.close() }
    alarm.withLock { $0.cancel() }
    arrivals.close()
    room.close()
    for inbox in watchers.withLock({ exchange(&$0, with: [:]) }).values {
      await inbox.note(LaneNotice(address: address, isUp: false))
    }
  }

  /// A conflating channel takes everything; one that is closed has no task left to wake.
  private func ring(_ bell: TaskChannel<Void>) {
    _ = try? bell.offer(())
  }
}

/// What a mailbox holds, and who waits for what. A value; its owner wakes the tasks that wait.
struct MailboxQueue {
  private let capacity: Int
  private var envelopes = FIFO<Envelope>()
  private var notices = LaneNotices()
  /// The reader found nothing, and has not been woken since.
  private var isAwaited = false
  private var waitingWriters = 0
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

  mutating func take(atMost limit: Int) -> [Delivery] {
    isAwaited = isEmpty
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

  mutating func close() {
    isClosed = true
    notices = LaneNotices()
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
}
