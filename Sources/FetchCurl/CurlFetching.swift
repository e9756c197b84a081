internal import Curl
package import Pipeline
internal import Posix

/// Performs exchanges with libcurl on a thread of its own.
package final class CurlFetching: Fetching, Sendable {
  private let settings: CurlSettings
  private let mailbox = Mailbox()
  private let kept: KeptBytes
  private let fetchExecutor: FetchExecutor
  private let thread: Lock<Thread?>

  /// - Parameter memory: What it shares with others; nil for one of its own.
  package init(settings: CurlSettings, memory: LargeBodyMemory? = nil) {
    self.settings = settings
    let memory = memory ?? LargeBodyMemory(total: settings.largeBodyBytes)
    kept = KeptBytes(in: memory)
    let (mailbox, executor) = (self.mailbox, FetchExecutor(self.mailbox))
    fetchExecutor = executor
    thread = Lock(try? Thread.start(name: "fetching") { FetchLoop.run(settings, mailbox, executor, memory) })
    if thread.withLock({ $0 == nil }) {
      _ = mailbox.close(because: .broken("the system has no thread to give"))
    }
  }

  deinit {
    shutdown()
  }

  /// Ends pending exchanges in `cancelled` and waits for the thread; later exchanges end there too.
  package func shutdown() {
    mailbox.stop()
    thread.withLock { $0.take() }?.join()
  }

  package var executor: (any TaskExecutor)? { fetchExecutor }

  package func keeps(bytes: Int) { kept.set(bytes) }

  package func fetch(_ request: FetchRequest) async -> Result<FetchResponse, Failure> {
    if let fault = RequestFault(in: request) { return .failure(fault.failure(for: request)) }
    let ticket = Ticket()
    let started = SystemTime.monotonicMicroseconds
    let left = request.deadline.milliseconds(since: settings.now())
    request.activity?.waits()
    let deadline = started.adding(milliseconds: left)
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let order = FetchOrder(
          request: request, ticket: ticket, started: started, deadline: deadline, continuation: continuation)
        if let closing = mailbox.post(order) { order.finish(.failure(closing.failure(for: request))) }
      }
    } onCancel: {
      mailbox.cancel(ticket)
    }
  }
}
