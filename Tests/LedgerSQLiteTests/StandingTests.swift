import Glibc
import Pipeline
import PipelineTesting
import Posix
import Testing

@testable import LedgerSQLite

/// Clocks that jump, and files that go away.
@Suite(.timeLimit(.minutes(10)))
struct StandingTests {
  private static let day: Int64 = 86_400_000
  private let file: LedgerFileFixture

  init() throws {
    file = try LedgerFileFixture()
  }

  private func begin(at now: Moment) async throws -> Inheritance {
    let ledger = try await file.open()
    let left = try await takeOver(ledger, at: now)
    await ledger.close()
    return left
  }

  private func takeOver(_ ledger: SQLiteLedger, at now: Moment) async throws -> Inheritance {
    try await ledger.takeOver(as: UUIDv7(high: 1, low: 2), at: now, longestPause: 450_000)
  }

  @Test func `a ledger knows when it was last in use, and remembers each gap`() async throws {
    #expect(try await begin(at: file.now).gap == nil)
    let soon = file.now.advanced(byMilliseconds: 60_000)
    #expect(try await begin(at: soon).gap == nil)
    let jumped = soon.advanced(byMilliseconds: 8 * Self.day)
    let gap = ClockGap(began: soon, ended: jumped)
    #expect(try await begin(at: jumped).gap == gap)
    let later = jumped.advanced(byMilliseconds: 1_000)
    let again = try await begin(at: later)
    #expect(again.gap == nil && again.retention == Retention([gap]))
    // Back to the true time: what the clock said between was no time.
    let back = try await begin(at: soon)
    #expect(back.retention == Retention([ClockGap(began: later, ended: soon)]))
  }

  @Test func `no retry waits longer than a pause lasts when the clock was ahead`() async throws {
    let ledger = try await file.open()
    let job = file.jobs(1)[0]
    let ahead = file.now.advanced(byMilliseconds: 8 * Self.day)
    _ = try await ledger.commit(
      [
        .submit(file.jobs(1)), .grant(job.id, Lease(token: LeaseToken(1), attempt: 1), to: file.worker),
        .retry(job.id, LeaseToken(1), at: ahead, cause: Failure(.timeout, at: .body, "slow")),
      ], at: ahead)
    #expect(try await takeOver(ledger, at: file.now).shortenedPauses == 1)
    let due = file.now.advanced(byMilliseconds: 450_000)
    #expect(try await ledger.page(JobQuery(.due(by: due))).items.map(\.job) == [job])
    await ledger.close()
  }

  @Test func `a pause lasts no longer than it was to last when the clock was ahead`() async throws {
    let ledger = try await file.open()
    let ahead = file.now.advanced(byMilliseconds: 8 * Self.day)
    let pause = Pause(by: "ann@box", at: ahead, lastsMilliseconds: 3_600_000)
    _ = try await ledger.commit(
      [.submit(file.jobs(1))] + [.batch(file.batch), .host("a.test"), .all].map { .pause($0, pause) },
      at: ahead)
    _ = try await takeOver(ledger, at: file.now)
    let ends = try await ledger.shares().pauses.values.map(\.until)
    #expect(ends == Array(repeating: file.now.advanced(byMilliseconds: 3_600_000), count: 3))
    await ledger.close()
  }

  @Test(arguments: ["", "-wal"])
  func `a file that is removed or replaced under the ledger is missed`(suffix: String) async throws {
    let ledger = try await file.open()
    _ = try await ledger.commit([.submit(file.jobs(3))], at: file.now)
    #expect(try await ledger.look(at: file.now).missing == nil)
    #expect(removeFile(path: file.path + suffix))
    let removed = try #require(try await ledger.look(at: file.now).missing)
    #expect(removed.kind == .removed)
    #expect(removed.message.contains("\(file.path)\(suffix) was removed while the fleet uses it"))
    #expect(removed.message.ranges(of: file.path).count == (suffix.isEmpty ? 1 : 2))
    #expect(removed.message.hasSuffix("its -wal and its -shm, and put FILE in the ledger's place"))
    try Descriptor.writing(path: file.path + suffix).writeAll([1])
    let replaced = try #require(try await ledger.look(at: file.now).missing)
    #expect(replaced.message.contains("was replaced"))
    #expect(try await ledger.openJobs().count == 3, "what is open is still read")
    await ledger.close()
  }

  @Test func `a ledger is begun beside the log of one that was removed`() async throws {
    let removed = try await file.open()
    _ = try await removed.commit([.submit(file.jobs(3))], at: file.now)
    #expect(removeFile(path: file.path))
    await removed.close()
    #expect(fileExists(file.path + "-wal"))
    let ledger = try await file.open()
    #expect(try await ledger.openJobs().isEmpty)
    await ledger.close()
  }

  @Test func `a reserve is made once, given up, and made again`() throws {
    let path = file.path
    var reserve = LedgerReserve(beside: path, total: 1 << 40)
    try Descriptor.writing(path: path).writeAll([1])
    reserve.make()
    #expect(reserve.bytes == LedgerReserve.most && !reserve.isGivenUp)
    #expect(try Descriptor.reading(path: path + LedgerReserve.suffix).size == Int(LedgerReserve.most))
    var other = LedgerReserve(beside: path, total: 1 << 40)
    other.make()
    #expect(other.bytes == LedgerReserve.most, "it is the one that was there")
    let (first, second) = (reserve.giveUp(), reserve.giveUp())
    #expect(first && !second)
    #expect(reserve.bytes == 0 && reserve.isGivenUp)
    let (twice, thrice) = (2 * LedgerReserve.most, 3 * LedgerReserve.most)
    reserve.make { _ in twice }
    #expect(reserve.bytes == 0 && reserve.isGivenUp, "so that it is not given up again at once")
    var next = LedgerReserve(beside: path, total: 1 << 40)
    next.make { _ in nil }
    #expect(!next.isGivenUp, "nobody knows")
    next.make { _ in twice }
    #expect(next.bytes == 0 && next.isGivenUp, "an earlier process may have given it up")
    reserve.make { _ in thrice }
    #expect(reserve.bytes == LedgerReserve.most && !reserve.isGivenUp)
    #expect(LedgerReserve.needed(total: 1 << 40) == 3 * LedgerReserve.most, "what a full disk has to get")
    #expect(removeFile(path: path + LedgerReserve.suffix))
    #expect(!reserve.giveUp() && reserve.bytes == 0, "one that somebody deleted is made again")
  }

  @Test func `a small disk has a small reserve, and a tiny one has none`() throws {
    try Descriptor.writing(path: file.path).writeAll([1])
    var small = LedgerReserve(beside: file.path, total: 64 << 20)
    small.make()
    #expect(small.bytes == 4 << 20)
    #expect(LedgerReserve.needed(total: 64 << 20) == 3 * small.bytes)
    _ = small.giveUp()
    var tiny = LedgerReserve(beside: file.path, total: 6 << 20)
    tiny.make()
    #expect(tiny.bytes == 0 && !tiny.isGivenUp)
  }

  @Test func `a ledger that others can write to is blamed itself`() async throws {
    try Descriptor.writing(path: file.path).writeAll([])
    #expect(unsafe chmod(file.path, 0o666) == 0)
    let error = await #expect(throws: LedgerError.self) { try await file.open() }
    let message = try #require(error?.message)
    #expect(message.contains("\(file.path) can be changed by other users (mode 0666)"))
  }
}
