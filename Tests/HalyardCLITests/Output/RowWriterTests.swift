import Glibc
import Testing

@testable import HalyardCLI

@Suite struct RowWriterTests {
  @Test func `rows are collected until the burst is over`() throws {
    let sink = CollectingSink()
    var writer = RowWriter(WholeRowEncoder(), to: sink)
    try writer.write(Array("{}".utf8))
    try writer.write(Array("{}".utf8))
    #expect(sink.writes.isEmpty)
    try writer.flush()
    try writer.flush()
    #expect(sink.writes == [Array("{}\n{}\n".utf8)])
  }

  @Test func `a large buffer does not wait for the burst's end`() throws {
    let sink = CollectingSink()
    var writer = RowWriter(WholeRowEncoder(), to: sink)
    let row = [UInt8](repeating: UInt8(ascii: " "), count: 100_000)
    for _ in 0..<3 { try writer.write(row) }
    #expect(sink.writes.map(\.count) == [300_003])
  }

  @Test func `headings are written without any row`() throws {
    #expect(try output(["unfurl", "--format", "tsv"], []) == "input\tstatus\turl\thttp_status\terror.kind\n")
  }

  @Test func `a reader that left is a typed error without words`() throws {
    let sink = CollectingSink()
    sink.refusal = .brokenPipe
    var writer = RowWriter(WholeRowEncoder(), to: sink)
    try writer.write(Array("{}".utf8))
    #expect(throws: OutputError.brokenPipe) { try writer.flush() }
    #expect(OutputError.brokenPipe.rendered == "")
  }

  @Test func `a file is created, or replaced by a whole one`() throws {
    let path = "/tmp/halyard-row-writer-test-\(UInt64.random(in: 0 ... .max)).csv"
    defer { unsafe unlink(path) }
    for count in [3, 1] {
      var writer = try #require(try outputPlan(["unfurl", "-o", path, "--fields", "ms"]).open().first)
      for _ in 0..<count { try writer.write(Array(#"{"ms":1}"#.utf8)) }
      try writer.finish()
      let written = try DescriptorSource(path: path).nextChunk() ?? []
      #expect(String(decoding: written, as: UTF8.self) == "ms\n" + String(repeating: "1\n", count: count))
    }
  }

  @Test func `a file that cannot be created is an error that names it`() throws {
    let plan = try outputPlan(["unfurl", "-o", "/nowhere/rows.csv"])
    let error = #expect(throws: OutputError.self) { try plan.open() }
    #expect(error?.rendered == "halyard: /nowhere/rows.csv: open: No such file or directory\n")
  }

  @Test func `a full disk is an error that names the target`() throws {
    var writer = try #require(try outputPlan(["unfurl", "-o", "/dev/full", "--format", "csv"]).open().first)
    let error = #expect(throws: OutputError.self) { try writer.flush() }
    #expect(error?.rendered == "halyard: /dev/full: write: No space left on device\n")
  }
}
