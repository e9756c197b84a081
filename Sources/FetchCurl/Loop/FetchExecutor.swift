import Posix

/// Runs tasks on the thread that fetches, between two exchanges: what follows from an answer is then done without
/// waking another thread, and so is the next request.
final class FetchExecutor: TaskExecutor {
  private let mailbox: Mailbox

  init(_ mailbox: Mailbox) {
    self.mailbox = mailbox
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = TaskJob(job)
    if !mailbox.post(job) { job.runAnywhere() }
  }
}
