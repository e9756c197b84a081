import Pipeline
import Testing

@testable import HalyardCLI

/// Ledgers are resumed and caches are hit by these numbers, so they stay what they are.
@Suite struct RememberedHashTests {
  private static let hosts = """
    [hosts."T.co"]
    user-agent = "curl/8"
    headers = { Authorization = "Bearer x", Accept-Language = " de " }
    per-host = 4
    delay = 0.5
    [hosts."*.bücher.example"]
    headers = ["A:1", "A: 2"]
    delay = "2s"
    """

  /// The user agent is given, because its default changes with every version.
  private func arguments(_ line: String, _ settings: String) throws -> ParsedArguments {
    let source = SettingsSource { _ throws(UsageError) in
      [try SettingsFile(parsing: Array(settings.utf8), path: "/c.toml")]
    }
    let words = line.split(separator: " ").map(String.init) + ["--user-agent", "ship/1"]
    guard case .run(let arguments) = try Invocation.parse(words, environment: [:], settings: source) else {
      throw UsageError(rendered: "\(line) runs nothing")
    }
    return arguments
  }

  struct Remembered: CustomTestStringConvertible, Sendable {
    var line: String
    var settings = ""
    var hash: UInt64

    init(_ line: String, _ settings: String = "", hash: UInt64) {
      (self.line, self.settings, self.hash) = (line, settings, hash)
    }

    var testDescription: String { "\(line) \(settings.isEmpty ? "" : "with settings")" }
  }

  @Test(arguments: [
    Remembered("unfurl a.test", hash: 18_155_161_164_756_892_212),
    Remembered("unfurl a.test --method head --max-hops 3 --max-body 64K", hash: 1_221_584_302_358_329_085),
    Remembered("title a.test", hash: 18_155_161_164_756_892_212),
    Remembered(
      "title a.test --header A:1 --header B:2 --cookie a=1 --cookie b=2", hash: 10_411_330_232_205_931_820),
    Remembered(
      "title a.test --allow-address 10.0.0.0/8 --allow-address ::1 --respect-robots",
      hash: 651_655_822_100_665_722),
    Remembered(
      "title a.test --proxy http://u:p@p.test:1 --cacert a.pem --insecure --http1",
      hash: 7_735_965_330_940_858_743),
    Remembered(
      "title a.test --nat64-prefix 64:ff9b::/96 --nat64-prefix 64:ff9b:1::/96",
      hash: 7_698_725_388_603_265_058),
    Remembered(
      "title a.test --per-host 3 --host-delay 1s --retries 7 --timeout 5s --cache 1h",
      hash: 18_155_161_164_756_892_212),
    Remembered("title a.test", hosts, hash: 26_355_028_754_301_830),
    Remembered(
      "title a.test", "respect-robots = true\nheader = [\"A: 1\"]\nmax-body = 2048\n",
      hash: 13_909_640_166_546_015_636),
    Remembered("title a.test --max-body 2K --header A:1", hosts, hash: 12_410_283_522_440_614_969),
    Remembered("decode a.test", hash: 18_155_161_164_756_892_212),
    Remembered(
      "decode a.test --max-body 64K --no-insecure --no-respect-robots", hash: 12_622_584_899_923_808_316),
    Remembered("decode a.test", hosts, hash: 26_355_028_754_301_830),
    Remembered("run users", hash: 18_155_161_164_756_892_212),
    Remembered("run users --max-body 64K --header A:1", hosts, hash: 5_090_235_118_244_913_520),
    Remembered("explain a.test --max-body 64K --cookie a=1", hosts, hash: 14_385_355_870_291_939_111),
    Remembered("aggregator", hash: 18_155_161_164_756_892_212),
    Remembered(
      "aggregator --max-body 64K --max-document 1M --method head --header A:1", hosts,
      hash: 17_687_105_327_569_379_232),
  ])
  func `a command line has the hash that it always had`(remembered: Remembered) throws {
    let arguments = try arguments(remembered.line, remembered.settings)
    #expect(FindingSettings.hash(arguments) == remembered.hash)
  }

  @Test(arguments: [
    Remembered("aggregator", hash: 13_829_022_946_999_128_028),
    Remembered(
      "aggregator --allow-address ::1 --proxy http://u:p@p.test:1 --respect-robots",
      hash: 7_773_372_533_084_724_561),
    Remembered(
      "aggregator --max-body 64K --max-document 1M --method head --header A:1 --cookie a=1", hosts,
      hash: 12_826_405_545_197_686_748),
    Remembered(
      "aggregator --max-hops 3 --nat64-prefix 64:ff9b::/96 --no-insecure --http1 --cacert a.pem",
      hash: 17_525_969_154_301_743_068),
  ])
  func `fetchers of a fleet that stays as it is need no restart`(remembered: Remembered) throws {
    let arguments = try arguments(remembered.line, remembered.settings)
    let hash = try FleetFetchOptions.handed(arguments).hash
    #expect(hash == remembered.hash)
  }
}
