internal import CPosix

/// A thread of its own for work that blocks, which must never run on Swift's cooperative pool.
public final class Thread: Sendable {
  /// nil once it was joined.
  private let handle: Lock<pthread_t?>

  /// Starts `body` on a new thread; `name` is cut to 15 bytes, and `stackBytes` of 0 means the system's default size.
  /// With a `niceness` above 0 it gives way to the other threads where processors are few.
  public static func start(
    name: String, stackBytes: Int = 0, niceness: Int32 = 0, body: @escaping @Sendable () -> Void
  ) throws(PosixError) -> Thread {
    let work = unsafe Unmanaged.passRetained(
      Work {
        unsafe cposix_prepare_this_thread(name, niceness)
        body()
      })
    var attributes = pthread_attr_t()
    unsafe pthread_attr_init(&attributes)
    defer { unsafe pthread_attr_destroy(&attributes) }
    if stackBytes > 0 { unsafe pthread_attr_setstacksize(&attributes, stackBytes) }
    var handle = pthread_t()
    let code = unsafe pthread_create(&handle, &attributes, runWork, work.toOpaque())
    guard code == 0 else {
      unsafe work.release()
      throw PosixError(call: "pthread_create", code: code)
    }
    return Thread(handle)
  }

  private init(_ handle: pthread_t) {
    self.handle = Lock(handle)
  }

  /// Waits until the body has returned; a second call returns at once.
  public func join() {
    if let handle = handle.withLock({ $0.take() }) { pthread_join(handle, nil) }
  }

  deinit {
    if let handle = handle.withLock({ $0.take() }) { pthread_detach(handle) }
  }
}

private final class Work: Sendable {
  let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

private func runWork(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let argument = unsafe argument else { return nil }
  unsafe Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body()
  return nil
}

/// How many processors this process may run on, at least 1.
public var processors: Int {
  max(1, Int(cposix_processors()))
}

/// A thread that does blocking calls one after another for tasks, which must not block the threads they run on.
public final class BlockingWorker: Sendable {
  private let state: Lock<[@Sendable () -> Void]>
  private let available: Permits
  private let stop: StopSignal

  public init(name: String) throws(PosixError) {
    let state = Lock<[@Sendable () -> Void]>([])
    let available = try Permits(0)
    let stop = try StopSignal()
    (self.state, self.available, self.stop) = (state, available, stop)
    _ = try Thread.start(name: name) {
      while (try? available.take(unless: stop)) != nil {
        let job = state.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        job?()
      }
    }
  }

  deinit {
    stop.raise()
  }

  /// Calls that have yet to begin.
  public var waiting: Int { state.withLock { $0.count } }

  /// Has `body` run on the thread, and does not wait for it.
  public func start(_ body: @escaping @Sendable () -> Void) {
    state.withLock { $0.append(body) }
    available.giveBack()
  }

  /// Runs `body` on the thread. When the calling task is cancelled this throws at once; a call that blocks is
  /// left to itself, and what it returns is dropped.
  public func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    let end = Promise<Result<Value, any Error>>()
    return try await withTaskCancellationHandler {
      start { end.keep(Result(catching: body)) }
      return try await end.value.get()
    } onCancel: {
      end.keep(.failure(CancellationError()))
    }
  }
}

/// A value that comes once, for all tasks that wait for it.
public final class Promise<Value: Sendable>: Sendable {
  private enum State: Sendable {
    case awaited([CheckedContinuation<Value, Never>])
    case kept(Value)
  }

  private let state = Lock(State.awaited([]))

  public init() {}

  /// Only the first value counts.
  public func keep(_ value: Value) {
    let waiters: [CheckedContinuation<Value, Never>] = state.withLock { state in
      guard case .awaited(let waiters) = state else { return [] }
      state = .kept(value)
      return waiters
    }
    for waiter in waiters { waiter.resume(returning: value) }
  }

  public var value: Value {
    get async {
      await withCheckedContinuation { continuation in
        let value: Value? = state.withLock { state in
          switch state {
          case .kept(let value): return value
          case .awaited(let waiters):
            state = .awaited(waiters + [continuation])
            return nil
          }
        }
        if let value { continuation.resume(returning: value) }
      }
    }
  }
}

/// A value that one thread at a time may touch.
///
/// A pthread mutex rather than `Synchronization.Mutex`, for which the thread sanitizer reports false races.
/// The mutex guards every access to the value, which makes sharing the class between threads safe.
@safe
public final class Lock<Value>: @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let storage: UnsafeMutablePointer<Value>

  /// Takes over the value; from now on it is reached only under the lock.
  public init(_ value: sending Value) {
    unsafe mutex = .allocate(capacity: 1)
    unsafe mutex.initialize(to: pthread_mutex_t())
    let status = unsafe pthread_mutex_init(mutex, nil)
    precondition(status == 0, "pthread_mutex_init failed with \(status)")
    unsafe storage = .allocate(capacity: 1)
    unsafe storage.initialize(to: value)
  }

  deinit {
    unsafe storage.deinitialize(count: 1)
    unsafe storage.deallocate()
    unsafe pthread_mutex_destroy(mutex)
    unsafe mutex.deallocate()
  }

  /// Runs `body` with the value while no other thread can; keep it short and never wait inside.
  public func withLock<Result, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return try unsafe body(&storage.pointee)
  }
}

extension Lock where Value: Sendable {
  /// For who only reads it or puts another in its place.
  public var value: Value {
    get { withLock { $0 } }
    set { withLock { $0 = newValue } }
  }
}

/// A piece of a task. Its executor runs it exactly once, on any thread.
public struct TaskJob: Sendable {
  private let job: UnownedJob

  public init(_ job: consuming ExecutorJob) {
    self.job = UnownedJob(job)
  }

  /// Runs it to its next suspension on this thread, which works for `executor`.
  public func run(for executor: some TaskExecutor) {
    unsafe job.runSynchronously(on: executor.asUnownedTaskExecutor())
  }

  /// Hands it to the pool, when the thread it was meant for is gone.
  public func runAnywhere() {
    globalConcurrentExecutor.enqueue(job)
  }
}
