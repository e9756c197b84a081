import Pipeline
import Testing

extension LedgerSuite {
  private typealias Rule = PortRule<any Ledger>

  /// Ready jobs by batch and host.
  static let ready: [PortRule<any Ledger>] = [
    Rule("ready jobs come host after host, a few of each") { ledger in
      let fixture = LedgerFixture(ledger)
      let hosts = ["b", "a", "b", "b", "", "c"]
      _ = try await fixture.commit(.submit(fixture.jobs(6), hosts: hosts))
      let page = try await ledger.readyJobs(ReadyWish(fixture.batch, perHost: 2, limit: 9))
      #expect(page.ordinals == ["": [4], "a": [1], "b": [0, 2], "c": [5]])
      #expect(page.items.map(\.host) == ["", "a", "b", "c"])
      #expect(page.items.map(\.isCut) == [false, false, true, false])
      #expect(page.next == nil)
    },
    Rule("a page of ready jobs goes on after a host, and passes others over") { ledger in
      let fixture = LedgerFixture(ledger)
      _ = try await fixture.commit(.submit(fixture.jobs(6), hosts: ["a", "b", "b", "c", "d", "d"]))
      var wish = ReadyWish(fixture.batch, without: ["b"], perHost: 9, limit: 2)
      let first = try await ledger.readyJobs(wish)
      #expect(first.ordinals == ["a": [0], "c": [3]])
      wish.from = try #require(first.next)
      wish.limit = 1
      let second = try await ledger.readyJobs(wish)
      #expect(second.ordinals == ["d": [4, 5]])
      #expect(second.items.map(\.isCut) == [false])
      wish.from = try #require(second.next)
      let third = try await ledger.readyJobs(wish)
      #expect(third.items.isEmpty && third.next == nil)
    },
    Rule("neighbours come before what stands far behind them, whatever their hosts") { ledger in
      let fixture = LedgerFixture(ledger)
      let far = UInt64(1) << UInt64(ReadyPlace.blockBits)
      let jobs = [0, 1, far, far + 1, 5 * far].map(fixture.job)
      _ = try await fixture.commit(.submit(jobs, hosts: ["b", "c", "a", "b", "a"]))
      let page = try await ledger.readyJobs(ReadyWish(fixture.batch, perHost: 9, limit: 9))
      #expect(page.items.map(\.host) == ["b", "c", "a", "b", "a"])
      let some = try await ledger.readyJobs(ReadyWish(fixture.batch, perHost: 9, limit: 3))
      #expect(some.items.map(\.host) == ["b", "c", "a"])
      let rest = try await ledger.readyJobs(
        ReadyWish(fixture.batch, from: try #require(some.next), without: ["b"], perHost: 9, limit: 9))
      #expect(rest.ordinals == ["a": [5 * far]])
      let ofHost = try await ledger.page(JobQuery(.atHost("a", of: fixture.batch), after: jobs[2].id))
      #expect(ofHost.items.map(\.job.ordinal) == [5 * far])
      #expect(ofHost.next == nil)
      // Before the first job of a batch stands one of another.
      let fromFirst = try await ledger.page(
        JobQuery(.atHost("b", of: fixture.batch), after: jobs[0].id.predecessor))
      #expect(fromFirst.items.map(\.job.ordinal) == [0, far + 1])
      let inOrder = try await ledger.page(JobQuery(.ready, after: jobs[0].id, limit: 3))
      #expect(inOrder.items.map(\.job.ordinal) == [1, far, far + 1])
    },
    Rule("a host with jobs in far blocks is read page by page to its end, and to no other end") { ledger in
      let fixture = LedgerFixture(ledger)
      let far = UInt64(1) << UInt64(ReadyPlace.blockBits)
      let count = UInt64(JobQuery.mostBlocks) * 2 + 3
      let jobs = (0..<count).map { fixture.job($0 * far) }
      let hosts = jobs.indices.map { $0 == 1 || $0 == jobs.count - 1 ? "rare" : "m" }
      _ = try await fixture.commit(.submit(jobs, hosts: hosts))
      var (found, after): ([UInt64], JobID?) = ([], nil)
      while true {
        let page = try await ledger.page(JobQuery(.atHost("rare", of: fixture.batch), after: after, limit: 9))
        found += page.items.map(\.job.ordinal)
        guard let next = page.next else { break }
        #expect(after.map { $0 < next } ?? true)
        after = next
      }
      #expect(found == [far, (count - 1) * far])
    },
    Rule("a page that begins behind a job of an earlier batch has the first jobs of the later ones") {
      ledger in
      let fixture = LedgerFixture(ledger)
      let far = UInt64(3) << UInt64(ReadyPlace.blockBits)
      var other = fixture
      other.batch = LedgerFixture.batch(7)
      _ = try await fixture.commit([
        .submit([fixture.job(far), fixture.job(far + 1)], hosts: ["a", "a"]),
        .submit(other.jobs(2), hosts: ["a", "b"]),
      ])
      let page = try await ledger.page(JobQuery(.ready, after: fixture.job(far).id))
      #expect(page.items.map(\.job.ordinal) == [far + 1, 0, 1])
      let ofOther = try await ledger.page(JobQuery(.of(other.batch), after: fixture.job(far).id))
      #expect(ofOther.items.map(\.job.ordinal) == [0, 1])
    },
    Rule("a host of which a page has enough is passed over in all that follows") { ledger in
      let fixture = LedgerFixture(ledger)
      let far = UInt64(1) << UInt64(ReadyPlace.blockBits)
      let jobs = [0, 1, 2, far, far + 1].map(fixture.job)
      _ = try await fixture.commit(.submit(jobs, hosts: ["a", "a", "a", "a", "b"]))
      let page = try await ledger.readyJobs(ReadyWish(fixture.batch, perHost: 2, limit: 9))
      #expect(page.ordinals == ["a": [0, 1], "b": [far + 1]])
      #expect(page.items.map(\.isCut) == [true, false])
    },
    Rule("many jobs of a host that is passed over are skipped, and none of another is missed") { ledger in
      let fixture = LedgerFixture(ledger)
      let many = 3 << ReadyPlace.blockBits
      let jobs = fixture.jobs(many)
      let hosts = (0..<many).map { $0 % 500 == 499 ? "z\($0)" : $0 % 700 == 0 ? "a\($0)" : "m" }
      _ = try await fixture.commit(.submit(jobs, hosts: hosts))
      var wish = ReadyWish(fixture.batch, without: ["m"], perHost: 9, limit: 4)
      var found: [UInt64] = []
      while true {
        let page = try await ledger.readyJobs(wish)
        found += page.items.flatMap { $0.jobs.map(\.job.ordinal) }
        guard let next = page.next else { break }
        wish.from = next
      }
      #expect(found.sorted() == (0..<many).filter { hosts[$0] != "m" }.map { UInt64($0) })
    },
    Rule("the ready jobs of all batches are read in the order of their ids, each with its host") { ledger in
      let fixture = LedgerFixture(ledger)
      let jobs = fixture.jobs(5)
      var other = fixture
      other.batch = LedgerFixture.batch(7)
      _ = try await fixture.commit([
        .submit(other.jobs(2), hosts: ["a", "b"]), .submit(jobs, hosts: ["b", "a", "b", "", "c"]),
        .grant(jobs[2].id, fixture.lease(1), to: fixture.worker),
      ])
      func read(_ which: JobQuery.What, after id: JobID?, limit: Int = 9) async throws -> [String] {
        try await ledger.page(JobQuery(which, after: id, limit: limit)).items.map {
          "\($0.job.ordinal) \($0.host)"
        }
      }
      #expect(try await read(.ready, after: nil) == ["0 b", "1 a", "3 ", "4 c", "0 a", "1 b"])
      #expect(try await read(.ready, after: jobs[0].id, limit: 2) == ["1 a", "3 "])
      #expect(try await read(.ready, after: jobs[1].id.predecessor, limit: 1) == ["1 a"])
      #expect(try await read(.ready, after: jobs[4].id) == ["0 a", "1 b"])
      #expect(try await read(.of(fixture.batch), after: jobs[0].id) == ["1 a", "2 b", "3 ", "4 c"])
    },
    Rule("the jobs of one host are read on after an id") { ledger in
      let fixture = LedgerFixture(ledger)
      let jobs = fixture.jobs(5)
      _ = try await fixture.commit(.submit(jobs, hosts: ["a", "b", "a", "a", "a"]))
      func read(after id: JobID?, limit: Int = 9) async throws -> [UInt64] {
        let query = JobQuery(.atHost("a", of: fixture.batch), after: id, limit: limit)
        return try await ledger.page(query).items.map(\.job.ordinal)
      }
      #expect(try await read(after: nil) == [0, 2, 3, 4])
      #expect(try await read(after: jobs[0].id, limit: 2) == [2, 3])
      #expect(try await read(after: jobs[4].id).isEmpty)
      #expect(try await ledger.page(JobQuery(.atHost("x", of: fixture.batch))).items.isEmpty)
      #expect(
        try await ledger.page(JobQuery(.atHost("a", of: LedgerFixture.batch(7)))).items.isEmpty)
    },
    Rule("only jobs that are ready are found by their host, and again when they are so again") { ledger in
      let fixture = LedgerFixture(ledger)
      let jobs = fixture.jobs(4)
      _ = try await fixture.commit([
        .submit(jobs, hosts: ["a", "a", "a", "a"]), .grant(jobs[0].id, fixture.lease(1), to: fixture.worker),
        fixture.settle(jobs[1].id, under: nil, .dead, failure: .tls),
        .grant(jobs[2].id, fixture.lease(2), to: fixture.worker),
        .retry(jobs[2].id, LeaseToken(2), at: fixture.later, cause: Failure(.timeout, at: .body, "slow")),
      ])
      func found() async throws -> [UInt64] {
        try await ledger.readyJobs(ReadyWish(fixture.batch, perHost: 9, limit: 9)).ordinals["a"] ?? []
      }
      #expect(try await found() == [3])
      _ = try await fixture.commit([
        .giveBack(jobs[0].id, LeaseToken(1)), .requeue(jobs[1].id), .becameDue(jobs[2].id),
      ])
      #expect(try await found() == [0, 1, 2, 3])
    },
    Rule("batches with ready jobs come in the order in which they were submitted, whatever their ids") {
      ledger in
      var fixture = LedgerFixture(ledger)
      var batches: [BatchID] = []
      for number in [3, 1, 2] as [Int64] {
        fixture.batch = LedgerFixture.batch(number)
        batches.append(fixture.batch)
        _ = try await fixture.commit(.submit(fixture.jobs(2), hosts: ["a", "b"]))
      }
      func ready(after serial: Int64 = 0, limit: Int = 9) async throws -> BatchPage {
        try await ledger.batches(.ready(after: serial, limit: limit))
      }
      #expect(try await ready().items.map(\.id) == batches)
      let first = try await ready(limit: 1)
      #expect(first.items.map(\.id) == [batches[0]])
      let second = try await ready(after: try #require(first.next), limit: 1)
      #expect(second.items.map(\.id) == [batches[1]])
      fixture.batch = batches[1]
      _ = try await fixture.commit(fixture.jobs(2).map { fixture.settle($0.id, under: nil) })
      #expect(try await ready().items.map(\.id) == [batches[0], batches[2]])
    },
  ]
}

extension ReadyPage {
  fileprivate var ordinals: [String: [UInt64]] {
    Dictionary(items.map { ($0.host, $0.jobs.map(\.job.ordinal)) }, uniquingKeysWith: +)
  }
}
