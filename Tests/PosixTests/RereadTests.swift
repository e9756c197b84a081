import Posix
import Synchronization
import Testing

struct RereadTests {
  @Test func `a value is read again when it is old, and not before`() {
    let now = Atomic<Int64>(0)
    let source = Atomic(1)
    let reads = Atomic(0)
    let reread = Reread(
      0, every: 1_000, now: { now.load(ordering: .relaxed) },
      read: {
        reads.add(1, ordering: .relaxed)
        return source.load(ordering: .relaxed)
      })
    source.store(2, ordering: .relaxed)
    now.store(999_999, ordering: .relaxed)
    #expect(reread.value == 1)
    now.store(1_000_000, ordering: .relaxed)
    #expect(reread.value == 2)
    #expect(reread.value == 2)
    #expect(reads.load(ordering: .relaxed) == 2)
  }

  @Test func `a value that cannot be read stays as it was`() {
    let now = Atomic<Int64>(0)
    let isMute = Atomic(false)
    let reread = Reread(
      0, every: 1, now: { now.load(ordering: .relaxed) },
      read: { isMute.load(ordering: .relaxed) ? nil : 7 })
    isMute.store(true, ordering: .relaxed)
    now.store(5_000, ordering: .relaxed)
    #expect(reread.value == 7)
    #expect(Reread("nothing yet", every: 1) { nil }.value == "nothing yet")
  }

  @Test func `loopback is among this machine's addresses`() throws {
    #expect(try #require(interfaceAddresses()).contains("127.0.0.1"))
  }
}
