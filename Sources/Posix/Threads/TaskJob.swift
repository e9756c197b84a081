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
