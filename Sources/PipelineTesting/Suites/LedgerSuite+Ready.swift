import Pipeline
import Testing

extension LedgerSuite {
  private typealias Rule = PortRule<any Ledger>

  /// Ready jobs by batch and host.
  static let ready: [PortRule<any Ledger>] = [
    Rule("ready jobs come host after host, a few of each") { ledger in
      let bench = LedgerBench(ledger)
      let hosts = ["b", "a", "b", "b", "", "c"]
      _ = try await bench.commit(.submit(bench.jobs(6), hosts: hosts))
      let page = try await ledger.readyJobs(ReadyWish(bench.batch, perHost: 2, limit: 9))
      #expect(page.ordinals == ["": [4], "a": [1], "b": [0, 2], "c": [5]])
      #expect(page.lines.map(\.host) == ["", "a", "b", "c"])
      #expect(page.isLast)
    },
    Rule("a page of ready jobs goes on after a host, and passes others over") { ledger in
      let bench = LedgerBench(ledger)
      _ = try await bench.commit(.submit(bench.jobs(6), hosts: ["a", "b", "b", "c", "d", "d"]))
      var wish = ReadyWish(bench.batch, without: ["b"], perHost: 9, limit: 2)
      let first = try await ledger.readyJobs(wish)
      #expect(first.ordinals == ["a": [0], "c": [3]])
      #expect(!first.isLast)
      wish.after = "c"
      wish.limit = 1
      let second = try await ledger.readyJobs(wish)
      #expect(second.ordinals == ["d": [4]])
      wish.after = "d"
      let third = try await ledger.readyJobs(wish)
      #expect(third.lines.isEmpty && third.isLast)
    },
    Rule("the ready jobs of a batch are read in the order of their ids, each with its host") { ledger in
      let bench = LedgerBench(ledger)
      let jobs = bench.jobs(5)
      var other = bench
      other.batch = LedgerBench.batch(7)
      _ = try await bench.commit([
        .submit(jobs, hosts: ["b", "a", "b", "", "c"]), .submit(other.jobs(2), hosts: ["a", "b"]),
        .grant(jobs[2].id, bench.lease(1), to: bench.worker),
      ])
      func read(after id: JobID?, limit: Int = 9) async throws -> [String] {
        try await ledger.openJobs(.readyOf(bench.batch), after: id, limit: limit).map {
          "\($0.job.ordinal) \($0.host)"
        }
      }
      #expect(try await read(after: nil) == ["0 b", "1 a", "3 ", "4 c"])
      #expect(try await read(after: jobs[0].id, limit: 2) == ["1 a", "3 "])
      #expect(try await read(after: jobs[1].id.predecessor, limit: 1) == ["1 a"])
      #expect(try await read(after: jobs[4].id).isEmpty)
    },
    Rule("the jobs of one host are read on after an id") { ledger in
      let bench = LedgerBench(ledger)
      let jobs = bench.jobs(5)
      _ = try await bench.commit(.submit(jobs, hosts: ["a", "b", "a", "a", "a"]))
      func read(after id: JobID?, limit: Int = 9) async throws -> [UInt64] {
        try await ledger.readyJobs(of: bench.batch, host: "a", after: id, limit: limit).map(\.job.ordinal)
      }
      #expect(try await read(after: nil) == [0, 2, 3, 4])
      #expect(try await read(after: jobs[0].id, limit: 2) == [2, 3])
      #expect(try await read(after: jobs[4].id).isEmpty)
      #expect(try await ledger.readyJobs(of: bench.batch, host: "x", after: nil, limit: 9).isEmpty)
      #expect(try await ledger.readyJobs(of: LedgerBench.batch(7), host: "a", after: nil, limit: 9).isEmpty)
    },
    Rule("only jobs that are ready are found by their host, and again when they are so again") { ledger in
      let bench = LedgerBench(ledger)
      let jobs = bench.jobs(4)
      _ = try await bench.commit([
        .submit(jobs, hosts: ["a", "a", "a", "a"]), .grant(jobs[0].id, bench.lease(1), to: bench.worker),
        bench.settle(jobs[1].id, under: nil, .dead, failure: .tls),
        .grant(jobs[2].id, bench.lease(2), to: bench.worker),
        .retry(jobs[2].id, LeaseToken(2), at: bench.later, cause: Failure(.timeout, at: .body, "slow")),
      ])
      func found() async throws -> [UInt64] {
        try await ledger.readyJobs(ReadyWish(bench.batch, perHost: 9, limit: 9)).ordinals["a"] ?? []
      }
      #expect(try await found() == [3])
      _ = try await bench.commit([
        .giveBack(jobs[0].id, LeaseToken(1)), .requeue(jobs[1].id), .becameDue(jobs[2].id),
      ])
      #expect(try await found() == [0, 1, 2, 3])
    },
    Rule("batches with ready jobs come in the order in which they were submitted, whatever their ids") {
      ledger in
      var bench = LedgerBench(ledger)
      var batches: [BatchID] = []
      for number in [3, 1, 2] as [Int64] {
        bench.batch = LedgerBench.batch(number)
        batches.append(bench.batch)
        _ = try await bench.commit(.submit(bench.jobs(2), hosts: ["a", "b"]))
      }
      #expect(try await ledger.readyBatches(after: nil, limit: 9) == batches)
      #expect(try await ledger.readyBatches(after: batches[0], limit: 1) == [batches[1]])
      bench.batch = batches[1]
      _ = try await bench.commit(bench.jobs(2).map { bench.settle($0.id, under: nil) })
      #expect(try await ledger.readyBatches(after: nil, limit: 9) == [batches[0], batches[2]])
    },
  ]
}

extension ReadyPage {
  fileprivate var ordinals: [String: [UInt64]] {
    Dictionary(lines.map { ($0.host, $0.jobs.map(\.job.ordinal)) }, uniquingKeysWith: +)
  }
}
