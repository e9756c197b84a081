import Pipeline
import Testing

extension LedgerSuite {
  private typealias Rule = PortRule<any Ledger>

  static let rows: [PortRule<any Ledger>] = [
    Rule("rows are numbered from 1 in the order of completion") { ledger in
      let fixture = LedgerFixture(ledger)
      let jobs = fixture.jobs(3)
      _ = try await fixture.commit(.submit(jobs))
      _ = try await fixture.commit(fixture.settle(jobs[2].id, under: nil, row: "c"))
      _ = try await fixture.commit([
        fixture.settle(jobs[0].id, under: nil, .dead, failure: .tls, row: "a"),
        fixture.settle(jobs[1].id, under: nil, row: "b\u{0}ü"),
      ])
      #expect(
        try await fixture.rows() == [
          NumberedRow(number: 1, ordinal: 2, failure: nil, json: Array("c".utf8)),
          NumberedRow(number: 2, ordinal: 0, failure: .tls, json: Array("a".utf8)),
          NumberedRow(number: 3, ordinal: 1, failure: nil, json: Array("b\u{0}ü".utf8)),
        ])
    },
    Rule("each batch has its own numbers") { ledger in
      let fixture = LedgerFixture(ledger)
      var other = fixture
      other.batch = LedgerFixture.batch(2)
      try await fixture.finish(3)
      try await other.finish(2)
      #expect(try await fixture.rows().map(\.number) == [1, 2, 3])
      #expect(try await other.rows().map(\.number) == [1, 2])
    },
    Rule("rows are read in pages") { ledger in
      let fixture = LedgerFixture(ledger)
      try await fixture.finish(1_000)
      var read: [NumberedRow] = []
      while let page = try? await fixture.rows(after: read.last?.number ?? 0, limit: 77), !page.isEmpty {
        #expect(page.count <= 77)
        read += page
      }
      #expect(read.map(\.number) == Array(1...1_000))
      #expect(read.map(\.ordinal) == Array(0..<1_000))
      #expect(try await fixture.rows(after: 999).map(\.number) == [1_000])
      #expect(try await fixture.rows(after: 1_000).isEmpty)
      #expect(try await fixture.rows(after: .max).isEmpty)
      #expect(try await fixture.rows(limit: 0).isEmpty)
    },
    Rule("a page of rows ends with the one that makes it too large") { ledger in
      let fixture = LedgerFixture(ledger)
      let jobs = fixture.jobs(5)
      let rows = [40, 60, 1, 500, 2].map { String(repeating: "x", count: $0) }
      _ = try await fixture.commit(.submit(jobs))
      _ = try await fixture.commit(zip(jobs, rows).map { fixture.settle($0.id, under: nil, row: $1) })
      #expect(try await fixture.rows(bytes: 100).map(\.number) == [1, 2])
      #expect(try await fixture.rows(bytes: 101).map(\.number) == [1, 2, 3])
      #expect(try await fixture.rows(after: 3, bytes: 1).map(\.json.count) == [500])
      #expect(try await fixture.rows(after: 4, bytes: 1_000).map(\.number) == [5])
      #expect(try await fixture.rows(limit: 1, bytes: 1_000).map(\.number) == [1])
      #expect(try await fixture.rows(bytes: 0).isEmpty)
    },
    Rule("confirming rows does not change the numbers of the others") { ledger in
      let fixture = LedgerFixture(ledger)
      try await fixture.finish(10)
      #expect(try await fixture.commit(.confirmRows(fixture.batch, upTo: 4)) == .applied)
      #expect(try await fixture.rows(after: 4).map(\.number) == Array(5...10))
      #expect(try await fixture.rows(after: 4).map(\.ordinal) == Array(4...9))
      #expect(try await fixture.rows(after: 7, limit: 2).map(\.number) == [8, 9])
      let job = fixture.job(10)
      _ = try await fixture.commit([.submit([job]), fixture.settle(job.id, under: nil)])
      #expect(try await fixture.rows(after: 10).map(\.number) == [11])
      #expect(try await ledger.progress(of: fixture.batch)?.rows == 11)
    },
    Rule("rows are confirmed once, and not before they are there") { ledger in
      let fixture = LedgerFixture(ledger)
      try await fixture.finish(3)
      let answers = try await fixture.commit([
        .confirmRows(fixture.batch, upTo: 0), .confirmRows(fixture.batch, upTo: 4),
        .confirmRows(fixture.batch, upTo: .max), .confirmRows(fixture.batch, upTo: 2),
        .confirmRows(fixture.batch, upTo: 2), .confirmRows(fixture.batch, upTo: 1),
        .confirmRows(fixture.batch, upTo: 3), .confirmRows(LedgerFixture.batch(2), upTo: 1),
      ])
      #expect(answers == [.stale, .stale, .stale, .applied, .stale, .stale, .applied, .stale])
    },
    Rule("a job whose row is not confirmed stays done when others are") { ledger in
      let fixture = LedgerFixture(ledger)
      try await fixture.finish(3)
      _ = try await fixture.commit(.confirmRows(fixture.batch, upTo: 2))
      #expect(try await fixture.commit(.submit([fixture.job(2)])) == .inserted(0))
    },
  ]
}
