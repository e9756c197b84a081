import Pipeline
import PipelineTesting
import Posix
import Testing

@testable import HalyardCLI

/// Options on their way from an aggregator to a fetcher.
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
    "--http1", "--allow-address", "10.0.0.0/8", "--nat64-prefix", "64:ff9b::/96",
  ]

  @Test func `a fetcher fetches as its aggregator would`() throws {
    let hosts = """
      [hosts."a.test"]
      user-agent = "other"
      headers = ["X: 1", "Y: 2"]
      [hosts."*.b.test"]
      user-agent = "third"
      """
    let aggregator = try arguments(["aggregator"] + Self.words, settings: hosts)
    let handed = try FleetFetchOptions.handed(aggregator)
    let taken = try FleetFetchOptions.taken(handed, by: try arguments(["fetcher"]))
    #expect(FindingSettings.hash(taken) == FindingSettings.hash(aggregator))
  }

  @Test func `what belongs to a fetcher's machine stands in the place of the fleet's`() throws {
    let handed = try FleetFetchOptions.handed(try arguments(["aggregator"] + Self.words))
    var withheld = handed
    withheld.given.removeAll { $0.name == "proxy" }
    withheld.withheld = ["proxy"]
    let fetcher = try arguments(["fetcher", "--proxy", "http://b.test:2", "--allow-address", "127.0.0.1"])
    for options in [handed, withheld] {
      let taken = try FleetFetchOptions.taken(options, by: fetcher)
      #expect(taken[LinkOption.proxy] == "http://b.test:2")
      #expect(taken[LinkOption.allowAddress] == ["127.0.0.1"])
      #expect(taken[LinkOption.maxHops] == 3)
    }
  }

  @Test func `addresses of a file travel as its lines, and change with them`() throws {
    let directory = try TemporaryDirectory()
    let list = directory.file("addresses")
    try Descriptor.creatingSecret(path: list).writeAll(Array("# ours\n10.0.0.0/8\n::1\n".utf8))
    let handed = try FleetFetchOptions.handed(
      try arguments(["aggregator", "--allow-address", "@\(list)"]))
    let taken = try FleetFetchOptions.taken(handed, by: try arguments(["fetcher"]))
    #expect(taken[LinkOption.allowAddress] == ["10.0.0.0/8", "::1"])
    let changed = FleetFetchOptions.allowing(["::1"], in: handed)
    // The upper half stays, for fetchers with addresses of their own.
    #expect(changed.hash != handed.hash && changed.hash >> 32 == handed.hash >> 32)
    #expect(FleetFetchOptions.allowing(["10.0.0.0/8", "::1"], in: changed) == handed)
    #expect(
      try FleetFetchOptions.taken(changed, by: try arguments(["fetcher"]))[LinkOption.allowAddress] == ["::1"]
    )
  }

  @Test func `a fleet without any hands out its user agent, and that it allows no addresses`() throws {
    let handed = try FleetFetchOptions.handed(try arguments(["aggregator"]))
    #expect(
      handed.given == [
        .init(name: "user-agent", values: ["halyard/\(halyardVersion)"]),
        .init(name: "allow-address", values: []),
      ])
  }

  @Test(arguments: [
    (FetchOptions(given: [], hash: 1, withheld: ["cookie"]), "--cookie may hold secrets"),
    (
      FetchOptions(given: [.init(name: "teleport", values: ["1"])], hash: 1),
      "this version does not know --teleport"
    ),
    (
      FetchOptions(given: [.init(name: "teleport", values: [])], hash: 1),
      "this version does not know --teleport"
    ),
    (
      FetchOptions(given: [.init(name: "hosts", values: ["a.test\nspeed\n1"])], hash: 1),
      "this version does not know hosts"
    ),
    (
      FetchOptions(given: [.init(name: "max-hops", values: ["x"])], hash: 1),
      "--max-hops: 'x' is not"
    ),
  ])
  func `a fetcher that cannot do as its fleet does not start`(options: FetchOptions, problem: String) throws {
    let fetcher = try arguments(["fetcher"])
    let error = #expect(throws: UsageError.self) { try FleetFetchOptions.taken(options, by: fetcher) }
    #expect(error?.rendered.hasPrefix("halyard: cannot take the fleet's options: \(problem)") == true)
  }
}
