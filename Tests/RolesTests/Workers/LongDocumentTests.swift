import Foundation
import Pipeline
import PipelineTesting
import Posix
import Testing

@testable import Roles

/// On one thread for all roles, a long document is read elsewhere: the others would wait for it.
@Suite(.timeLimit(.minutes(10)))
struct LongDocumentTests {
  private static let fetcher = WorkerID.numbered(1)

  private static func document(ofBytes count: Int) -> Message {
    let job = Job(batch: BatchID(UUIDv7(high: 2, low: 1)), ordinal: 1, kind: .title, input: "http://a.test/")
    return .document(
      Document(
        order: JobOrder(job: job, lease: Lease(token: LeaseToken(1), attempt: 1)), sender: fetcher,
        url: "http://a.test/", failure: nil, contentType: "text/html", truncated: false,
        elapsedMilliseconds: 1, members: [], body: [UInt8](repeating: 120, count: count)))
  }

  @Test(arguments: [(100, false), (1 << 20, true)])
  func `only a long document is read on the pool`(_ bytes: Int, _ isLong: Bool) async throws {
    let threads = Lock<Set<String>>([])
    let clock = ManualClock(isStepping: true) {
      let name = try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)
      threads.withLock { _ = $0.insert(name?.trimmingCharacters(in: .newlines) ?? "") }
    }
    let thread = OneThread(try BlockingWorker(name: "one thread"))
    let decoder = Decoder(
      identity: WorkerIdentity(
        at: Moment(unixMilliseconds: 0), secret: .none, locality: "here",
        aggregator: Address("inproc://aggregator")),
      inbox: ScriptedInbox(Address("inproc://decoder"), [[Self.document(ofBytes: bytes)]]) { _ in
        LaneSecret.none.shared(with: Self.fetcher)
      },
      ports: RolePorts(transport: RecordingTransport(), clock: clock, random: .seeded(1)))
    await #expect(throws: CancellationError.self) {
      try await Task(executorPreference: thread) { try await decoder.run() }.value
    }
    let asking = threads.withLock { $0 }
    #expect(asking.contains("one thread"))
    #expect(asking.subtracting(["one thread"]).isEmpty == !isLong)
  }
}

private final class OneThread: TaskExecutor {
  private let worker: BlockingWorker

  init(_ worker: BlockingWorker) {
    self.worker = worker
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = TaskJob(job)
    worker.start { job.run(for: self) }
  }
}
