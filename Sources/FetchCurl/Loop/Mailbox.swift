internal import Curl
internal import Pipeline
internal import Posix

/// Why no further exchange is taken.
enum Closing: Sendable {
  case shutdown
  case broken(String)

  init(_ error: CurlError) {
    self = .broken("\(error.call): \(error.text)")
  }

  func failure(for request: FetchRequest) -> Failure {
    switch self {
    case .shutdown: request.cancellation(at: .queue)
    case .broken(let cause): request.failure(.underlying, at: .queue, cause)
    }
  }
}

/// What callers and helping threads hand to the loop's thread; a burst of them wakes it once.
final class Mailbox: Sendable {
  struct Content: Sendable {
    var orders: [FetchOrder] = []
    var hasCancellations = false
    var lookups: [(ticket: Ticket, answer: NameLookup)] = []
    var bodies: [CollectedBody.Decoded] = []
    var jobs: [TaskJob] = []
    var isStopping = false

    mutating func removeAll() {
      orders.removeAll(keepingCapacity: true)
      lookups.removeAll(keepingCapacity: true)
      bodies.removeAll()
      jobs.removeAll(keepingCapacity: true)
      hasCancellations = false
      isStopping = false
    }

    var isEmpty: Bool {
      orders.isEmpty && lookups.isEmpty && bodies.isEmpty && jobs.isEmpty && !hasCancellations && !isStopping
    }
  }

  private struct State: Sendable {
    var content = Content()
    var closing: Closing?
    /// The loop is at work, or on its way to it, and will look in here before it waits.
    var isWoken = false
    var waker: MultiWaker?

    /// The waker when it is this caller's turn to use it.
    mutating func wakeOnce() -> MultiWaker? {
      guard !isWoken else { return nil }
      isWoken = true
      return waker
    }
  }

  private let state = Lock(State())

  /// Says why when the order is not taken.
  func post(_ order: FetchOrder) -> Closing? { changeUnlessClosed { $0.orders.append(order) } }

  func cancel(_ ticket: Ticket) {
    ticket.cancel()
    change { $0.hasCancellations = true }
  }

  func post(_ answer: NameLookup, for ticket: Ticket) {
    change { $0.lookups.append((ticket, answer)) }
  }

  func post(_ decoded: CollectedBody.Decoded) { change { $0.bodies.append(decoded) } }

  /// Takes no more orders and tells the loop to end.
  func stop() {
    state.withLock { if $0.closing == nil { $0.closing = .shutdown } }
    change { $0.isStopping = true }
  }

  /// From here on the loop can be woken; what came before is still there to be taken.
  func open(_ waker: MultiWaker) {
    state.withLock { $0.waker = waker }
  }

  /// Whether there is nothing to do, so that the loop may wait; from then on it has to be woken.
  func isIdle() -> Bool {
    state.withLock { state in
      guard state.content.isEmpty else { return false }
      state.isWoken = false
      return true
    }
  }

  /// - Parameter content: Emptied by its owner; its storage is used for what comes next.
  func takeContent(into content: inout Content) {
    state.withLock { state in
      state.isWoken = true
      swap(&state.content, &content)
    }
  }

  /// Takes no more orders; what is left in it is handed back.
  func close(because closing: Closing) -> Content {
    state.withLock { state in
      state.closing = state.closing ?? closing
      state.waker = nil
      return exchange(&state.content, with: Content())
    }
  }

  private func change(_ body: (inout Content) -> Void) {
    let waker = state.withLock { state in
      body(&state.content)
      return state.wakeOnce()
    }
    waker?.wake()
  }

  private func changeUnlessClosed(_ body: (inout Content) -> Void) -> Closing? {
    let (closing, waker) = state.withLock { state in
      if state.closing == nil { body(&state.content) }
      return (state.closing, state.closing == nil ? state.wakeOnce() : nil)
    }
    waker?.wake()
    return closing
  }
}

/// Runs tasks on the thread that fetches, between two exchanges: what follows from an answer is then done without
/// waking another thread, and so is the next request.
extension Mailbox: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    let job = TaskJob(job)
    // When the loop that would run it has ended.
    if changeUnlessClosed({ $0.jobs.append(job) }) != nil { job.runAnywhere() }
  }
}

/// Orders in the sequence they came; those that were begun and need more memory than there was wait by themselves.
struct WaitingOrders {
  private var orders = FIFO<FetchOrder>()
  private var large: [FetchOrder] = []

  var isEmpty: Bool { orders.isEmpty && large.isEmpty }

  /// What the first of the large ones needs.
  var wantedRoom: Int { large.first?.room ?? 0 }

  mutating func append(_ order: FetchOrder) {
    if order.room > 0 { large.append(order) } else { orders.append(order) }
  }

  /// Whether one could begin with so much memory free.
  func hasNext(room: Int) -> Bool {
    !orders.isEmpty || (!large.isEmpty && wantedRoom <= room)
  }

  /// Large ones come first, as they began first.
  mutating func next(room: Int) -> FetchOrder? {
    if !large.isEmpty, wantedRoom <= room { return large.removeFirst() }
    return orders.popFirst()
  }

  /// Takes out, in their sequence, the orders that meet the condition.
  mutating func take(where condition: (FetchOrder) -> Bool) -> [FetchOrder] {
    guard !isEmpty else { return [] }
    var taken = large.take(where: condition)
    orders.removeAll { order in
      let isTaken = condition(order)
      if isTaken { taken.append(order) }
      return isTaken
    }
    return taken
  }
}
