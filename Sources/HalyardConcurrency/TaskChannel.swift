internal import Posix

/// Hands elements from tasks that send to tasks that receive: each element to one receiver, in the order of sending.
///
/// A channel joins tasks that work at different speeds: what is sent waits in it, and a sender waits while it is full, so
/// a slow receiver slows its senders down instead of filling the memory. Waiting tasks are served in order.
/// Channels may be shared: any number of tasks may send, and any number receive.
///
/// A cancelled task neither sends nor receives: it gets ``TaskChannelError/interrupted``, its element stays with it, and others
/// are not disturbed. What is handed to a receiver at the moment of its cancellation goes to the next.
///
/// ```swift
/// let pages = TaskChannel<Page>(capacity: 64)
/// async let reading: Void = {
///   defer { pages.close() }
///   for link in links { try await pages.send(try await fetch(link)) }
/// }()
/// for try await page in pages { show(page) }
/// try await reading
/// ```
public final class TaskChannel<Element: Sendable>: Sendable {
  typealias State = ChannelState<Element>

  let state: Lock<State>

  /// - Parameter capacity: How many elements are held until they are received: a number, `.conflating` or `.unbounded`.
  public init(capacity: TaskChannelCapacity) {
    state = Lock(State(capacity))
  }

  /// Sends an element, and waits for room as long as the channel is full. It has not been sent if this throws.
  public func send(_ element: Element) async throws(TaskChannelError) {
    guard !Task.isCancelled else { throw .interrupted }
    guard let ticket = try pass(element, by: state.withLock { $0.send(element) }) else { return }
    if let error = await waitForRoom(element, ticket) { throw error }
  }

  /// Sends an element if that needs no waiting, also from code that cannot wait, such as callbacks.
  ///
  /// - Returns: False when the channel is full; never for one that is conflating or unbounded.
  public func offer(_ element: Element) throws(TaskChannelError) -> Bool {
    try pass(element, by: state.withLock { $0.send(element) }) == nil
  }

  /// The next element; waits while there is none.
  ///
  /// - Returns: Nil when the channel was closed and nothing is left in it.
  public func receive() async throws(TaskChannelError) -> Element? {
    guard !Task.isCancelled else { throw .interrupted }
    switch state.withLock({ $0.take() }) {
    case .element(let element, let sender):
      sender?.resume(returning: nil)
      return element
    case .ended(let reception): return try reception.get()
    case .empty(let ticket): return try await waitForElement(ticket)
    }
  }

  /// The next elements, as many as are there: several times cheaper each than one by one. Waits only for the first.
  ///
  /// - Parameter limit: At least 1.
  /// - Returns: Empty when the channel was closed and nothing is left in it.
  public func receive(upTo limit: Int) async throws(TaskChannelError) -> [Element] {
    guard !Task.isCancelled else { throw .interrupted }
    let elements = takeNow(upTo: limit)
    if !elements.isEmpty { return elements }
    guard let first = try await receive() else { return [] }
    guard limit > 1 else { return [first] }
    return take(upTo: limit, behind: [first])
  }

  /// What is there, without waiting; also for a task that was cancelled and puts away what is left.
  ///
  /// - Parameter limit: At least 1.
  public func takeNow(upTo limit: Int = .max) -> [Element] {
    precondition(limit > 0, "\(limit) elements cannot be received")
    return take(upTo: limit, behind: [])
  }

  /// Takes no more elements. Those that are in the channel can still be received; who waits to send fails.
  public func close() {
    end(state.withLock { $0.close() }, receivers: .success(nil), senders: .closed)
  }

  /// Ends the channel at once: what is in it is dropped, and waiting tasks fail, as do all later ones.
  public func cancel() {
    end(state.withLock { $0.cancel() }, receivers: .failure(.cancelled), senders: .cancelled)
  }

  /// Hands an element to who waits for it.
  ///
  /// - Returns: The ticket to wait with when there is no room; nil when it is sent.
  private func pass(_ element: Element, by sending: consuming State.Sending) throws(TaskChannelError)
    -> UInt64?
  {
    switch consume sending {
    case .kept, .displaced: return nil
    case .handed(let receiver):
      receiver.resume(returning: .success(element))
      return nil
    case .refused(let error): throw error
    case .full(let ticket): return ticket
    }
  }

  private func take(upTo limit: Int, behind first: [Element]) -> [Element] {
    let (elements, senders) = state.withLock { state in
      var (elements, senders) = (first, [State.Sender]())
      state.take(upTo: limit, into: &elements, sent: &senders)
      return (elements, senders)
    }
    for sender in senders { sender.resume(returning: nil) }
    return elements
  }

  private func end(_ left: State.Leftovers, receivers: State.Reception, senders: TaskChannelError) {
    for receiver in left.receivers { receiver.resume(returning: receivers) }
    for sender in left.senders { sender.continuation.resume(returning: senders) }
  }
}

// Waiting. The closures name the isolation that they are to keep, and so do not leave the caller's actor first.
extension TaskChannel {
  private func waitForRoom(
    _ element: Element, _ ticket: UInt64, isolation: isolated (any Actor)? = #isolation
  ) async -> TaskChannelError? {
    await withTaskCancellationHandler {
      _ = isolation
      return await withCheckedContinuation { sender in
        let sending = state.withLock {
          $0.wait(toSend: element, as: sender, ticket: ticket, isCancelled: Task.isCancelled)
        }
        guard let sending else { return }
        do throws(TaskChannelError) {
          _ = try pass(element, by: sending)
          sender.resume(returning: nil)
        } catch {
          sender.resume(returning: error)
        }
      }
    } onCancel: {
      state.withLock { $0.stopSending(ticket) }?.continuation.resume(returning: .interrupted)
    }
  }

  private func waitForElement(_ ticket: UInt64) async throws(TaskChannelError) -> Element? {
    guard let element = try await reception(ticket).get() else { return nil }
    guard Task.isCancelled else { return element }
    // It came at the moment of cancellation, and goes to the next, unless the channel has ended.
    do throws(TaskChannelError) {
      _ = try pass(element, by: state.withLock { $0.takeBack(element) })
    } catch {
      return element
    }
    throw .interrupted
  }

  private func reception(
    _ ticket: UInt64, isolation: isolated (any Actor)? = #isolation
  ) async -> State.Reception {
    await withTaskCancellationHandler {
      _ = isolation
      return await withCheckedContinuation { receiver in
        let taking = state.withLock {
          $0.wait(toReceiveAs: receiver, ticket: ticket, isCancelled: Task.isCancelled)
        }
        switch taking {
        case nil, .empty: break
        case .ended(let reception): receiver.resume(returning: reception)
        case .element(let element, let sender):
          sender?.resume(returning: nil)
          receiver.resume(returning: .success(element))
        }
      }
    } onCancel: {
      state.withLock { $0.stopReceiving(ticket) }?.resume(returning: .failure(.interrupted))
    }
  }
}

/// Iterating receives until the channel is closed and empty. Leaving the loop ends nothing.
extension TaskChannel: AsyncSequence {
  /// Receives one element after another.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let channel: TaskChannel

    /// The next element; nil once the channel is closed and empty.
    public func next(isolation actor: isolated (any Actor)? = #isolation) async throws(TaskChannelError)
      -> Element?
    {
      try await channel.receive()
    }
  }

  /// An iterator; several share the elements among them.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(channel: self) }
}

/// How much a channel holds until it is received.
public enum TaskChannelCapacity: Hashable, Sendable, ExpressibleByIntegerLiteral {
  /// So many elements; senders wait while there are as many. With 0 each of them waits for its receiver.
  case limited(Int)
  /// The newest element only: an older one that was not received makes way, and senders never wait.
  case conflating
  /// As many as are sent. Senders never wait, so something else has to bound how many there are.
  case unbounded

  /// ``limited(_:)`` to this number.
  public init(integerLiteral count: Int) {
    self = .limited(count)
  }
}

/// Why a channel did not take an element, or has none to give.
public enum TaskChannelError: Error, Hashable, Sendable {
  /// `close()` was called: the channel takes no more.
  case closed
  /// `cancel()` was called: what was in the channel is gone.
  case cancelled
  /// The task that sends or receives was cancelled. The channel goes on for others.
  case interrupted
}

extension TaskChannelError: CancellationReporting {
  /// True unless the channel was closed.
  public var reportsCancellation: Bool { self != .closed }
}
