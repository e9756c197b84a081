import CSandbox
import Dispatch
import Glibc
import Posix
import Testing

@testable import Sandbox

/// What code can do that has taken a confined process over, on each kind of thread.
@Suite(.timeLimit(.minutes(2)))
struct ConfinementTests {
  @Test func `a thread of Swift's pool opens nothing`() async {
    await #expect(processExitsWith: .success) {
      _ = try Confinement.confineThreads()
      Escape.require(Escape.tried())
    }
  }

  @Test func `a thread that was there before opens nothing`() async {
    await #expect(processExitsWith: .success) {
      let (worker, escaped) = (try BlockingWorker(name: "before"), Lock<[String]>([]))
      _ = try Confinement.confineThreads()
      try await worker.run { escaped.withLock { $0 = Escape.tried() } }
      Escape.require(escaped.withLock { $0 })
    }
  }

  @Test func `a thread that is made later opens nothing`() async {
    await #expect(processExitsWith: .success) {
      _ = try Confinement.confineThreads()
      let escaped = Lock<[String]>([])
      try Thread.start(name: "later") { escaped.withLock { $0 = Escape.tried() } }.join()
      Escape.require(escaped.withLock { $0 })
    }
  }

  @Test func `what decoding takes goes on`() async {
    await #expect(processExitsWith: .success) {
      let (reading, writing) = try Descriptor.pipe()
      let (worker, neighbour) = (try BlockingWorker(name: "neighbour"), Lock<Int32>(0))
      try await worker.run { neighbour.withLock { $0 = csandbox_this_thread() } }
      _ = try Confinement.confineThreads()
      try writing.writeAll(Array("a page".utf8))
      guard try reading.readChunk() == Array("a page".utf8) else { exit(2) }
      guard isDirectory("/proc"), !hostName.isEmpty, absolutePath("x").hasSuffix("/x") else { exit(3) }
      try await Task.sleep(for: .milliseconds(1))
      let large = Array(repeating: UInt8(1), count: 64 << 20)
      guard large.last == 1 else { exit(4) }
      _ = try BlockingWorker(name: "another")
      raiseSignal(SIGURG)
      let asked = withExtendedLifetime(worker) { csandbox_ask(neighbour.withLock { $0 }) }
      guard asked == 0 else { exit(6) }
      for _ in 0..<32 {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0, fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0,
          fcntl(ends[1], F_SETFL, O_WRONLY | O_NONBLOCK) == 0, fcntl(ends[0], F_GETFL) == O_NONBLOCK
        else { exit(7) }
      }
      let sum = await withTaskGroup(of: Int.self) { group in
        for number in 1...100 { group.addTask { number } }
        return await group.reduce(0, +)
      }
      guard sum == 5_050 else { exit(5) }
    }
  }

  /// It looks at the state of its threads while more waits to be done than there are threads.
  @Test func `a pool that is busy for long lives on`() async {
    await #expect(processExitsWith: .success) {
      _ = try Confinement.confineThreads()
      guard let file = Escape.standIn, lseek(file, 0, SEEK_SET) == 0 else { exit(2) }
      let jobs = DispatchGroup()
      for _ in 0..<64 {
        // As long as nobody has read the file.
        DispatchQueue.global().async(group: jobs) { while lseek(file, 0, SEEK_CUR) == 0 {} }
      }
      await withCheckedContinuation { continuation in jobs.notify(queue: .global()) { continuation.resume() }
      }
      guard
        (try? Descriptor.reading(path: "/proc/\(getpid())/stat").readChunk())
          == Array("1 (thread) R 1\n".utf8)
      else { exit(3) }
    }
  }

  @Test func `threads of a process that was started with a filter are told apart by how many they have`()
    async
  {
    await #expect(processExitsWith: .success) {
      let worker = try BlockingWorker(name: "before")
      Escape.addFilter()
      _ = try Confinement.confineThreads()
      let escaped = Lock<[String]>([])
      try await worker.run { escaped.withLock { $0 = Escape.tried() } }
      Escape.require(escaped.withLock { $0 } + Escape.tried())
    }
  }
}
