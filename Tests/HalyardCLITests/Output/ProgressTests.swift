import Pipeline
import Posix
import Roles
import Testing

@testable import HalyardCLI

/// Counts and a time, and the line they make.
struct ProgressCase: CustomTestStringConvertible {
  var total: Int?
  var done: Int
  var failed: [String: Int] = [:]
  var elapsed: Int64
  var line: String

  var testDescription: String { line }
  var counts: ProgressCounts {
    ProgressCounts(total: total.map { .exactly($0) } ?? .unknown, done: done, failed: failed)
  }
}

@Suite struct ProgressTests {
  static let lines = [
    ProgressCase(
      total: 10_000, done: 1_234, failed: ["dns": 5, "timeout": 7], elapsed: 2_410,
      line: "1,234/10,000  512/s  ETA 0:17  failed 12 (timeout 7, dns 5)"),
    ProgressCase(total: nil, done: 1_234, elapsed: 2_410, line: "1,234 so far  512/s"),
    ProgressCase(total: 10, done: 0, elapsed: 0, line: "0/10"),
    ProgressCase(total: nil, done: 0, elapsed: 0, line: "0 so far"),
    ProgressCase(total: 10, done: 0, elapsed: 1_000, line: "0/10  0.0/s"),
    ProgressCase(total: 10, done: 1, elapsed: 3_000, line: "1/10  0.3/s  ETA 0:27"),
    ProgressCase(total: 10, done: 10, elapsed: 1_000, line: "10/10  10/s"),
    ProgressCase(total: 100, done: 99, elapsed: 10_000, line: "99/100  9.9/s  ETA 0:01"),
    ProgressCase(total: 7_200, done: 100, elapsed: 100_000, line: "100/7,200  1.0/s  ETA 1:58:20"),
    ProgressCase(total: 1_000_000_000, done: 1, elapsed: 100_000, line: "1/1,000,000,000  0.0/s  ETA >99h"),
    ProgressCase(
      total: nil, done: 2_000, failed: ["tls": 1, "dns": 3, "http_status": 1_000, "connect": 3, "robots": 0],
      elapsed: 1_000,
      line: "2,000 so far  2,000/s  failed 1,007 (http_status 1,000, connect 3, dns 3, others 1)"),
  ]

  @Test(arguments: lines)
  func `progress is one line of counts, rate, failures and time to go`(row: ProgressCase) {
    #expect(ProgressLine.render(row.counts, elapsedMilliseconds: row.elapsed, width: 100) == row.line)
  }

  @Test func `a total that is judged by the file's size is marked`() {
    let counts = ProgressCounts(total: .about(2_000), done: 1_000)
    #expect(
      ProgressLine.render(counts, elapsedMilliseconds: 1_000, width: 80)
        == "1,000/~2,000  1,000/s  ETA 0:01")
  }

  @Test func `a narrow terminal gets a line that is cut`() {
    let counts = ProgressCounts(total: .exactly(10_000), done: 1_234, failed: ["timeout": 7])
    #expect(ProgressLine.render(counts, elapsedMilliseconds: 2_410, width: 20) == "1,234/10,000  512/s…")
  }

  static let summaries = [
    ProgressCase(
      total: 10_000, done: 10_000, failed: ["dns": 5, "timeout": 7], elapsed: 19_500,
      line: "10,000 rows in 0:20 (512/s): 9,988 ok, failed 12 (timeout 7, dns 5)"),
    ProgressCase(total: 3, done: 3, elapsed: 420, line: "3 rows in 0.4 s (7.1/s): 3 ok"),
    ProgressCase(total: nil, done: 0, elapsed: 0, line: "0 rows in 0.0 s: 0 ok"),
    ProgressCase(
      total: 4, done: 4, failed: ["dns": 1, "tls": 1, "connect": 1, "timeout": 1], elapsed: 3_725_000,
      line: "4 rows in 1:02:05 (0.0/s): 0 ok, failed 4 (connect 1, dns 1, timeout 1, tls 1)"),
  ]

  @Test func `a summary tells what would allow refused addresses, and what a ledger had`() {
    var counts = ProgressCounts(done: 500, failed: ["blocked_address": 500])
    for place in ["127.0.0.1:8600", "[::1]:80", "127.0.0.1:8600"] { counts.blocked.add(place) }
    #expect(
      ProgressLine.summary(counts, elapsedMilliseconds: 100_000)
        == "500 rows in 1:40 (5.0/s): 0 ok, failed 500 (blocked_address 500);"
        + " allow them with --allow-address 127.0.0.1:8600 --allow-address [::1]:80")
    for place in ["a:1", "a:2", "a:3"] { counts.blocked.add(place) }
    #expect(counts.blocked.remedy?.hasSuffix("--allow-address a:1 …") == true)
    #expect(
      ProgressLine.summary(ProgressCounts(done: 60, known: 60), elapsedMilliseconds: 100_000)
        == "60 rows in 1:40 (0.6/s): 60 ok; 60 from the ledger, 0 fetched")
  }

  @Test(arguments: [(#","refused_address":"127.0.0.1:80""#, "127.0.0.1:80"), ("", nil)])
  func `a row tells which address was refused`(member: String, place: String?) {
    let row = #"{"error":{"kind":"blocked_address","message":"m"\#(member)}}"#
    let numbered = NumberedRow(number: 1, ordinal: 0, failure: .blockedAddress, json: Array(row.utf8))
    #expect(numbered.blockedPlace == place)
  }

  @Test(arguments: summaries)
  func `a run ends with a summary that names every kind of failure`(row: ProgressCase) {
    #expect(ProgressLine.summary(row.counts, elapsedMilliseconds: row.elapsed) == row.line)
  }

  @Test func `hosts that were given up have a line of their own`() {
    func line(_ hosts: [(String, Int)]) -> String? {
      var counts = ProgressCounts(total: .exactly(9), done: 9, failed: ["connect": 9])
      for (name, jobs) in hosts { counts.givenUp.add(name, jobs: jobs) }
      let lines = ProgressLine.summary(counts, elapsedMilliseconds: 1_000).split(separator: "\n")
      return lines.count == 2 ? String(lines[1]) : nil
    }
    #expect(line([]) == nil)
    #expect(line([("a.test", 1)]) == "hosts that were given up cost 1 job (a.test 1); see --give-up")
    let six = (1...6).map { ("h\($0).test", 1_000 * $0) }
    #expect(
      line(six) == "hosts that were given up cost 21,000 jobs (h6.test 6,000, h5.test 5,000, h4.test 4,000, "
        + "h3.test 3,000, h2.test 2,000, 1 other 1,000); see --give-up")
    let many = (1...3_000).map { ("h\($0).test", 1) }
    #expect(line(many + [("a.test", 9)])?.hasSuffix("others 2,996); see --give-up") == true)
  }

  @Test func `the line is drawn at most five times a second`() {
    var line = StatusLine()
    let drawn = stride(from: Int64(0), through: 1_000, by: 50).filter { elapsed in
      line.redraw(at: elapsed) { "\(elapsed)" } != nil
    }
    #expect(drawn == [0, 200, 400, 600, 800, 1_000])
  }

  @Test func `each drawing replaces the last, and clearing leaves nothing`() {
    func render(_ done: Int, at elapsed: Int64) -> String {
      let counts = ProgressCounts(total: .exactly(10), done: done)
      return ProgressLine.render(counts, elapsedMilliseconds: elapsed, width: 11)
    }
    var line = StatusLine()
    #expect(line.clear() == nil)
    #expect(line.redraw(at: 0) { render(1, at: 0) } == "\r\u{1B}[K1/10")
    #expect(line.redraw(at: 1_000) { render(5, at: 1_000) } == "\r\u{1B}[K5/10  5.0/…")
    #expect(line.redraw(at: 2_000) { render(5, at: 1_000) } == nil)
    #expect(line.clear() == "\r\u{1B}[K")
    #expect(line.clear() == nil)
  }

  @Test func `a message takes the place of the line, which comes back below it`() {
    let written = Lock("")
    let console = Console { text in written.withLock { $0 += text } }
    console.draw { "1/10" }
    console.show("halyard: here\n", at: .warning)
    console.draw { "2/10" }
    console.clear()
    #expect(
      written.withLock { $0 } == "\r\u{1B}[K1/10\r\u{1B}[Khalyard: here\n\r\u{1B}[K2/10\r\u{1B}[K")
  }

  @Test func `a summary tells what was left out`() {
    var counts = ProgressCounts(done: 2)
    #expect(!counts.isTelling)
    counts.leftOut = LinkSelection.LeftOut(excluded: 1_200, duplicates: 2, relative: 3)
    #expect(counts.isTelling)
    #expect(
      ProgressLine.summary(counts, elapsedMilliseconds: 1_000)
        == "2 rows in 1.0 s (2.0/s): 2 ok; left out 1,200 excluded, 2 duplicates, 3 relative links (no --base-url)"
    )
  }

  @Test(arguments: [
    (0, "0"), (999, "999"), (1_000, "1,000"), (1_234_567, "1,234,567"), (-1_000, "-1,000"),
    (Int.min, "-9,223,372,036,854,775,808"),
  ])
  func `numbers are grouped in threes`(number: Int, text: String) {
    #expect(ProgressLine.grouped(number) == text)
  }
}
