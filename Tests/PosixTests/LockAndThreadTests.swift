import Posix
import Testing

struct LockAndThreadTests {
  @Test func `threads that count under a lock lose nothing`() throws {
    let counter = Lock(0)
    let threads = try (0..<4).map { number in
      try Posix.Thread.start(name: "counter \(number) with a long name", stackBytes: 256 << 10) {
        for _ in 0..<5_000 { counter.withLock { $0 += 1 } }
      }
    }
    for thread in threads { thread.join() }
    threads[0].join()
    #expect(counter.withLock { $0 } == 20_000)
  }

  @Test func `an error passes through a lock and leaves it open`() {
    let lock = Lock("a")
    #expect(throws: PosixError(call: "test", code: 7)) {
      try lock.withLock { text throws(PosixError) in
        text += "b"
        throw PosixError(call: "test", code: 7)
      }
    }
    #expect(lock.withLock { $0 } == "ab")
  }

  @Test func `a lock frees its value`() {
    final class Token: Sendable {}
    weak var left: Token?
    do {
      let token = Token()
      left = token
      let lock = Lock([token])
      lock.withLock { $0.append(token) }
    }
    #expect(left == nil)
  }

  @Test func `a raised stop signal ends waits that come later too`() throws {
    let stop = try StopSignal()
    try stop.sleep(milliseconds: 0)
    stop.raise()
    for _ in 0..<2 {
      let error = #expect(throws: PosixError.self) { try stop.sleep(milliseconds: 60_000) }
      #expect(error?.isStopped == true)
    }
  }

  @Test func `permits bound how many run at once`() throws {
    let stop = try StopSignal()
    let permits = try Permits(2)
    try permits.take(unless: stop)
    try permits.take(unless: stop)
    permits.giveBack()
    try permits.take(unless: stop)
    stop.raise()
    #expect(throws: PosixError.self) { try permits.take(unless: stop) }
  }
}
