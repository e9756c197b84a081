internal import CPosix

/// A place for one task to wait until a descriptor is readable, or until it is woken.
///
/// Being woken without a reason is normal: the task checks its condition and waits again. What
/// happens while no task waits is remembered for the next wait, so nothing can be missed in between.
public final class Watch: Sendable {
  private let descriptor: Int32
  private let id: UInt64
  private let flag = WakeFlag()
  private let table: WatchTable
  /// Its thread ends with the last watch.
  private let watcher: ReadinessWatcher

  init(_ descriptor: Int32, in table: WatchTable, of watcher: ReadinessWatcher) throws(PosixError) {
    self.descriptor = descriptor
    self.table = table
    self.watcher = watcher
    id = try table.add(descriptor, flag)
  }

  deinit {
    stop()
  }

  /// Waits; also a cancelled task returns, and sees for itself that it is.
  ///
  /// - Returns: False when the watch has been stopped, and waiting is no use any more.
  public func wait() async -> Bool {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        switch flag.add(continuation) {
        case .resume: continuation.resume()
        case .wait: break
        case .arm: if !table.arm(descriptor, id) { flag.stop() }
        }
      }
    } onCancel: {
      flag.wake()
    }
    return !flag.isStopped
  }

  /// Ends the wait, or the next one.
  public func wake() {
    flag.wake()
  }

  /// To be called before the descriptor is closed.
  public func stop() {
    if flag.stop() { table.remove(descriptor, id) }
  }
}

/// Who waits, and whether there was a reason to wake it.
final class WakeFlag: Sendable {
  enum Order {
    case resume
    case wait
    /// As `wait`, and the kernel is to be asked.
    case arm
  }

  private struct State: Sendable {
    var waiter: CheckedContinuation<Void, Never>?
    var isRaised = false
    var isStopped = false
    /// The kernel has been asked and has not answered.
    var isArmed = false
  }

  private let state = Lock(State())

  var isStopped: Bool { state.withLock { $0.isStopped } }

  func add(_ waiter: CheckedContinuation<Void, Never>) -> Order {
    let (order, displaced): (Order, CheckedContinuation<Void, Never>?) = state.withLock { state in
      if state.isStopped || state.isRaised {
        state.isRaised = false
        return (.resume, nil)
      }
      defer {
        state.waiter = waiter
        state.isArmed = true
      }
      return (state.isArmed ? .wait : .arm, state.waiter)
    }
    displaced?.resume()
    return order
  }

  /// False when it was stopped before.
  @discardableResult
  func stop() -> Bool {
    let (isFirst, waiter): (Bool, CheckedContinuation<Void, Never>?) = state.withLock { state in
      defer {
        state.isStopped = true
        state.waiter = nil
      }
      return (!state.isStopped, state.waiter)
    }
    waiter?.resume()
    return isFirst
  }

  /// - Parameter isAnswer: The kernel has answered.
  func wake(isAnswer: Bool = false) {
    let waiter: CheckedContinuation<Void, Never>? = state.withLock { state in
      if isAnswer { state.isArmed = false }
      defer { state.waiter = nil }
      if state.waiter == nil { state.isRaised = true }
      return state.waiter
    }
    waiter?.resume()
  }
}
