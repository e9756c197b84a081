import Pipeline
import PipelineTesting
import Posix
import Testing

@testable import HalyardCLI

/// Options on their way from an aggregator to a fetcher that has none.
@Suite struct FleetFetchOptionsTests {
  private func arguments(_ words: [String], settings: String = "") throws -> ParsedArguments {
    let source = SettingsSource { _ throws(UsageError) in
      [try SettingsFile(parsing: Array(settings.utf8), path: "/c.toml")]
    }
    guard case .run(let arguments) = try Invocation.parse(words, environment: [:], settings: source) else {
      throw UsageError(rendered: "\(words) runs nothing")
    }
    return arguments
  }

  private static let words = [
    "--max-hops", "3", "--max-body", "64K", "--max-document", "1M", "--user-agent", "grün/1",
    "--respect-robots",
    "--method", "head", "--header", "A: b", "--header", "C: d", "--cookie", "e=f", "--proxy",
    "http://u:p@a.test:1",
    "--http1", "--allow-address", "10.0.0.0/8",
  ]

  @Test func `a fetcher that took the fleet's options fetches as one that was given them`() throws {
    let hosts = """
      [hosts."a.test"]
      user-agent = "other"
      headers = ["X: 1", "Y: 2"]
      [hosts."*.b.test"]
      user-agent = "third"
      """
    let aggregator = try arguments(["aggregator"] + Self.words, settings: hosts)
    let handed = try FleetFetchOptions.handed(aggregator, marks: FindingSettings.options(aggregator))
    let taken = try FleetFetchOptions.taken(handed, by: try arguments(["fetcher"]))
    let given = try arguments(["fetcher"] + Self.words, settings: hosts)
    #expect(FindingSettings.hash(taken) == FindingSettings.hash(given))
    #expect(handed.marks == FindingSettings.options(given))
  }

  @Test func `addresses of a file travel as its lines, and change with them`() throws {
    let directory = try TemporaryDirectory()
    let list = directory.file("addresses")
    try Descriptor.creatingSecret(path: list).writeAll(Array("# ours\n10.0.0.0/8\n::1\n".utf8))
    let handed = try FleetFetchOptions.handed(
      try arguments(["aggregator", "--allow-address", "@\(list)"]), marks: [])
    let taken = try FleetFetchOptions.taken(handed, by: try arguments(["fetcher"]))
    #expect(taken[LinkOption.allowAddress] == ["10.0.0.0/8", "::1"])
    let changed = FleetFetchOptions.allowing(["::1"], in: handed)
    #expect(changed.hash != handed.hash)
    #expect(FleetFetchOptions.allowing(["10.0.0.0/8", "::1"], in: changed) == handed)
    #expect(
      try FleetFetchOptions.taken(changed, by: try arguments(["fetcher"]))[LinkOption.allowAddress] == ["::1"]
    )
  }

  @Test func `a fleet without any hands out its user agent`() throws {
    let handed = try FleetFetchOptions.handed(try arguments(["aggregator"]), marks: [])
    #expect(handed.given == [.init(name: "user-agent", values: ["halyard/\(halyardVersion)"])])
  }

  @Test(arguments: [
    (FetchOptions(given: [], marks: [], hash: 1, withheld: ["cookie"]), "--cookie may hold secrets"),
    (
      FetchOptions(given: [.init(name: "teleport", values: ["1"])], marks: [], hash: 1),
      "this version does not know --teleport"
    ),
    (
      FetchOptions(given: [.init(name: "max-hops", values: ["x"])], marks: [], hash: 1),
      "--max-hops: 'x' is not"
    ),
  ])
  func `a fetcher that cannot do as its fleet does not start`(options: FetchOptions, problem: String) throws {
    let fetcher = try arguments(["fetcher"])
    let error = #expect(throws: UsageError.self) { try FleetFetchOptions.taken(options, by: fetcher) }
    #expect(error?.rendered.hasPrefix("halyard: cannot take the fleet's options: \(problem)") == true)
  }
}
