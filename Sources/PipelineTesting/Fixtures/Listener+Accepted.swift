public import Posix

extension Listener {
  /// The next connection. Waits on a thread of its own, and no longer than the task is wanted.
  public func accepted() async throws -> StreamSocket {
    let unwanted = try StopSignal()
    let worker = try BlockingWorker(name: "accept")
    return try await withTaskCancellationHandler {
      try await worker.run { try self.accept(unless: unwanted) }
    } onCancel: {
      unwanted.raise()
    }
  }
}
