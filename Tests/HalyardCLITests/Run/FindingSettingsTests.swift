import Testing

@testable import HalyardCLI

/// Which settings change what is found: the name of a run and the findings of a cache go by the same list.
@Suite struct FindingSettingsTests {
  /// Options that leave rows as they are, or are a part of a run's name or a row's question by themselves.
  private static let others: Set<String> = [
    "input", "input-format", "column", "keep", "delimiter", "base-url", "select", "require", "unwrap",
    "format", "fields",
    "csv-safe", "raw", "html", "include", "exclude", "exclude-file", "dedupe", "accept", "html-only",
    "failures-only",
    "output",
    "ordered", "ledger",
    "progress", "quiet", "log-level", "log-format", "fleet", "wait", "bind", "key", "also-key", "allow-keys",
    "insecure-transport",
    "concurrency", "threads", "per-host", "host-delay", "timeout", "deadline", "retries", "retry-budget",
    "give-up", "cache", "cache-failures", "cache-file", "oembed", "language", "config", "help",
  ]
  private static let samples = [
    "header": "--header A:1", "cookie": "--cookie a=1", "max-hops": "--max-hops 3",
    "max-body": "--max-body 64K",
    "user-agent": "--user-agent me", "allow-address": "--allow-address 127.0.0.1",
    "respect-robots": "--respect-robots", "proxy": "--proxy http://p.test:1", "cacert": "--cacert a.pem",
    "insecure": "--insecure", "http1": "--http1", "nat64-prefix": "--nat64-prefix 64:ff9b::/96",
    "method": "--method head",
  ]

  private func hash(_ line: String) throws -> UInt64 {
    let words = line.split(separator: " ").map(String.init)
    guard case .run(let arguments) = try Invocation.parse(words, environment: [:]) else {
      Issue.record("\(line) runs nothing")
      return 0
    }
    return FindingSettings.hash(arguments)
  }

  @Test(arguments: ["unfurl", "title", "decode"])
  func `every option of a link command is in the list or known not to belong there`(command: String) throws {
    let options = try #require(CommandTable.command(named: command)).options.map(\.name)
    var hashes: Set = [try hash("\(command) http://a.test/")]
    for option in options where !Self.others.contains(option) {
      let sample = try #require(Self.samples[option], "does --\(option) change what is found?")
      #expect(hashes.insert(try hash("\(command) http://a.test/ \(sample)")).inserted, "--\(option)")
    }
    #expect(hashes.count > 9)
  }

  @Test func `values of one option are not taken for those of another`() throws {
    let lines = [
      "--header A:1 --cookie a=1", "--header A:1 --header a=1", "--allow-address 10.0.0.1",
      "--allow-address 10.0.0.1 --allow-address 10.0.0.2", "--user-agent a --cacert b",
      "--user-agent b --cacert a",
    ]
    #expect(try Set(lines.map { try hash("title x.test \($0)") }).count == lines.count)
  }
}
