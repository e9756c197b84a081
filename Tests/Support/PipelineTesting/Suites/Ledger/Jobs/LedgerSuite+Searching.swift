import Pipeline
import Testing

extension LedgerSuite {
  private typealias Rule = PortRule<any Ledger>

  static let searching: [PortRule<any Ledger>] = [
    Rule("jobs are found by their states, the newest first") { ledger async throws in
      let fixture = LedgerFixture(ledger)
      let jobs = try await fixture.oneInEachState()
      let wanted: [(JobPhase?, [JobID])] = [
        (nil, jobs.reversed()), (.ready, [jobs[3], jobs[0]]), (.leased, [jobs[1]]), (.scheduled, [jobs[2]]),
        (.failed, [jobs[4]]), (.waiting, []),
      ]
      for (phase, expected) in wanted {
        #expect(try await fixture.found { $0.phase = phase } == expected, "\(String(describing: phase))")
        #expect(
          try await fixture.found {
            $0.phase = phase
            $0.batch = fixture.batch
          } == expected)
      }
      let over = try await fixture.found { $0.phase = .done } + fixture.found { $0.phase = .cancelled }
      #expect(Set(over).isSubset(of: jobs[5...]))
      #expect(over.count == jobs.count - 5)
    },
    Rule("jobs are found by kind, host, link and time") { ledger async throws in
      let fixture = LedgerFixture(ledger)
      var jobs = fixture.jobs(4)
      jobs[1].kind = .decode
      let hosts = ["a", "b", "a", "a"]
      let links = zip(hosts, ["/x", "/x", "/y", "/x"]).map { LinkKey(host: $0, link: "http://\($0)\($1)") }
      _ = try await ledger.commit(
        [.submit(Array(jobs[..<3]), hosts: Array(hosts[..<3]), links: Array(links[..<3]))], at: fixture.now)
      _ = try await ledger.commit(
        [.submit([jobs[3]], hosts: ["a"], links: [links[3]])], at: fixture.moment(1_000))
      let ids = jobs.map(\.id)
      #expect(try await fixture.found { $0.kind = .decode } == [ids[1]])
      #expect(try await fixture.found { $0.host = "a" } == [ids[3], ids[2], ids[0]])
      #expect(try await fixture.found { $0.host = "b" } == [ids[1]])
      #expect(try await fixture.found { $0.host = "c" } == [])
      let key = links[0].value
      #expect(try await fixture.found { $0.keys = key...key } == [ids[3], ids[0]])
      #expect(try await fixture.found { $0.since = fixture.moment(1) } == [ids[3]])
      #expect(
        try await fixture.found {
          ($0.host, $0.phase) = ("a", .ready)
          $0.since = fixture.moment(1)
        } == [ids[3]])
      _ = try await fixture.commit(fixture.settle(ids[2], under: nil, .dead, failure: .dns))
      #expect(
        try await fixture.found {
          ($0.host, $0.phase) = ("a", .failed)
        } == [ids[2]])
      var search = JobSearch()
      search.phase = .failed
      #expect(try await ledger.jobs(search).items.map(\.failure) == [.dns])
    },
    Rule("the newest batch comes first, and pings and calls only when they are named") {
      ledger async throws in
      let (first, second) = (LedgerFixture(ledger), LedgerFixture(ledger).other(0))
      let ping = LedgerFixture(ledger).other(.passing(UUIDv7(high: 0x99_7000, low: 1 << 63)))
      let calls = LedgerFixture(ledger).other(.calls(of: first.job(0).id, life: 0))
      for fixture in [first, second, ping, calls] { _ = try await first.commit(.submit(fixture.jobs(2))) }
      let expected = [second.job(1).id, second.job(0).id, first.job(1).id, first.job(0).id]
      #expect(try await first.found { _ in } == expected)
      #expect(try await first.found { $0.batch = ping.batch } == [ping.job(1).id, ping.job(0).id])
      #expect(try await first.found { $0.batch = calls.batch } == [calls.job(1).id, calls.job(0).id])
      #expect(try await first.found { $0.batch = LedgerFixture.batch(77) } == [])
    },
    Rule("pages of jobs follow on each other, over blocks and batches") { ledger async throws in
      let (first, second) = (LedgerFixture(ledger), LedgerFixture(ledger).other(0))
      let key = LinkKey(host: "a", link: "http://a/")
      let block = UInt64(1) << UInt64(ReadyPlace.blockBits)
      let jobs = [0, 1, 5, block, block + 1, 3 * block, 3 * block + 7].map(first.job)
      let others = second.jobs(3)
      for jobs in [jobs, others] {
        let keys = jobs.map { _ in LinkKey?(key) }
        _ = try await first.commit(.submit(jobs, hosts: jobs.map { _ in "a" }, links: keys))
      }
      let expected = (jobs + others).map(\.id).reversed() as [JobID]
      for limit in [1, 2, 3, 200] {
        #expect(try await first.found(limit: limit) { _ in } == expected)
        #expect(try await first.found(limit: limit) { $0.phase = .ready } == expected)
        #expect(try await first.found(limit: limit) { $0.host = "a" } == expected)
        #expect(try await first.found(limit: limit) { $0.keys = key.value...key.value } == expected)
      }
    },
  ]
}

extension LedgerFixture {
  fileprivate func other(_ number: Int64) -> LedgerFixture { other(Self.batch(number)) }

  fileprivate func other(_ batch: BatchID) -> LedgerFixture {
    var other = self
    other.batch = batch
    return other
  }

  /// The jobs of all pages.
  fileprivate func found(limit: Int = 200, _ choose: (inout JobSearch) -> Void) async throws -> [JobID] {
    var search = JobSearch()
    search.limit = limit
    choose(&search)
    var found: [JobID] = []
    for _ in 0..<100 {
      let page = try await ledger.jobs(search)
      #expect(page.items.count <= limit)
      found += page.items.map(\.job.id)
      guard let next = page.next else { return found }
      search.from = next
    }
    Issue.record("the pages have no end")
    return found
  }
}
