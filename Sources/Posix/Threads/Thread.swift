internal import CPosix

/// A thread of its own for work that blocks, which must never run on Swift's cooperative pool.
public final class Thread: Sendable {
  private enum State {
    case running(pthread_t)
    case joined
  }

  private let state: Lock<State>

  /// Starts `body` on a new thread; `name` is cut to 15 bytes, and `stackBytes` of 0 means the system's default size.
  /// With a `niceness` above 0 it gives way to the other threads where processors are few.
  public static func start(
    name: String, stackBytes: Int = 0, niceness: Int32 = 0, body: @escaping @Sendable () -> Void
  ) throws(PosixError) -> Thread {
    let work = unsafe Unmanaged.passRetained(Work(name: name, niceness: niceness, body: body))
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
    state = Lock(.running(handle))
  }

  /// Waits until the body has returned; a second call returns at once.
  public func join() {
    guard let handle = takeHandle() else { return }
    pthread_join(handle, nil)
  }

  private func takeHandle() -> pthread_t? {
    state.withLock { state in
      defer { state = .joined }
      return switch state {
      case .running(let handle): handle
      case .joined: nil
      }
    }
  }

  deinit {
    if let handle = takeHandle() { pthread_detach(handle) }
  }
}

private final class Work: Sendable {
  let name: String
  let niceness: Int32
  let body: @Sendable () -> Void

  init(name: String, niceness: Int32, body: @escaping @Sendable () -> Void) {
    self.name = name
    self.niceness = niceness
    self.body = body
  }
}

private func runWork(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let argument = unsafe argument else { return nil }
  let work = unsafe Unmanaged<Work>.fromOpaque(argument).takeRetainedValue()
  unsafe cposix_prepare_this_thread(work.name, work.niceness)
  work.body()
  return nil
}

/// How many processors this process may run on, at least 1.
public var processors: Int {
  max(1, Int(cposix_processors()))
}
