import Testing

@testable import HalyardCLI

/// Which command lines are the same run.
@Suite struct RunNameTests {
  private func name(_ line: String) throws -> String {
    let words = line.split(separator: " ").map(String.init)
    guard case .run(let arguments) = try Invocation.parse(words, environment: [:]) else {
      Issue.record("\(line) runs nothing")
      return ""
    }
    return try DurableRun.name(
      arguments, InputPlan(arguments, standardInputIsTerminal: false), LinkSelection(arguments))
  }

  @Test(arguments: [
    "title --input a.csv --ordered", "title --input a.csv -o out.csv --fields input",
    "title --input a.csv --concurrency 3 --per-host 2 --host-delay 1s --timeout 5s --deadline 1h --retries 9",
    "title --input a.csv --quiet --progress never --log-level debug", "title --input a.csv --max-hops 20",
  ])
  func `speed, timeout and output are not part of a run`(line: String) throws {
    #expect(try name(line) == name("title --input a.csv"))
  }

  @Test(arguments: [
    "unfurl --input a.csv", "title --input b.csv", "title", "title a.csv", "title --input a.csv --column url",
    "title --input a.csv --keep id", "title --input a.csv --input-format lines",
    "title --input a.csv --max-hops 3",
    "title --input a.csv --user-agent me", "title --input a.csv --header X-A:1",
    "title --input a.csv --cookie a=1",
    "title --input a.csv --max-body 64K", "title --input a.csv --allow-address 127.0.0.1",
    "title --input a.csv --respect-robots", "title --input a.csv --proxy http://p.test:8080",
    "title --input a.csv --insecure", "title --input a.csv --http1", "title --input a.csv --oembed",
    "title --input a.csv --language de",
  ])
  func `command, input and what changes results are`(line: String) throws {
    #expect(try name(line) != name("title --input a.csv"))
  }

  @Test func `where documents are published is part of a run`() throws {
    #expect(try name("title --input a.md --base-url http://a.test/") != name("title --input a.md"))
  }

  @Test(arguments: [
    "--select /a", "--accept 404", "--require /a:any", "--require /a:any --require /b:any",
    "--require /b:any", "--unwrap",
  ])
  func `how documents are read is part of a run`(options: String) throws {
    #expect(try name("decode --input a.csv \(options)") != name("decode --input a.csv"))
    #expect(
      try name("decode --input a.csv \(options)") != name("decode --input a.csv --require /a:any --unwrap"))
  }

  @Test func `a run that only selects has the name it always had`() throws {
    let name = try name("decode --input a.csv --select /a")
    #expect(
      name.split(separator: "\n", omittingEmptySubsequences: false).map { $0.prefix { $0 != " " } } == [
        "decode", "file", "format", "column", "keep", "select", "settings",
      ])
  }
}
