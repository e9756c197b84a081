internal import CCurl

/// A thread that takes no signals, for work that blocks.
public struct BackgroundThread: Sendable {
  private let id: pthread_t

  /// nil when the system has no thread to give; the body has then not been run.
  public init?(_ body: @escaping @Sendable () -> Void) {
    let box = unsafe Unmanaged.passRetained(ThreadBody(run: body))
    var id = pthread_t()
    guard unsafe pthread_create(&id, nil, runThread, box.toOpaque()) == 0 else {
      unsafe box.release()
      return nil
    }
    self.id = id
  }

  /// Waits for its end.
  ///
  /// Exactly one of `join` and `detach` is called, once.
  public func join() {
    pthread_join(id, nil)
  }

  public func detach() {
    pthread_detach(id)
  }
}

private final class ThreadBody {
  let run: @Sendable () -> Void

  init(run: @escaping @Sendable () -> Void) {
    self.run = run
  }
}

private func runThread(_ pointer: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  halyard_block_signals()
  guard let pointer = unsafe pointer else { return nil }
  unsafe Unmanaged<ThreadBody>.fromOpaque(pointer).takeRetainedValue().run()
  return nil
}
