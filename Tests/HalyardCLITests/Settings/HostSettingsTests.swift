import Assembly
import Pipeline
import Roles
import Testing

@testable import HalyardCLI

/// Tables of settings for some hosts alone.
@Suite struct HostSettingsTests {
  private func parsed(_ command: String, _ files: String...) throws -> ParsedArguments {
    let source = SettingsSource { _ throws(UsageError) in
      var read: [SettingsFile] = []
      for (index, text) in files.enumerated() {
        read.append(try SettingsFile(parsing: Array(text.utf8), path: "/\(index).toml"))
      }
      return read
    }
    let command = try #require(CommandTable.command(named: command))
    return try ArgumentParser.defaults(of: command, [:], source, nil)
  }

  private static let whole = """
    per-host = 6
    [hosts."T.co"]
    user-agent = "curl/8"
    headers = { Authorization = "Bearer x", Accept-Language = " de " }
    per-host = 4
    delay = 0.5
    [hosts."*.bücher.example"]
    headers = ["A: 1", "A: 2"]
    delay = "2s"
    """

  @Test func `each setting is read for its host`() throws {
    let arguments = try parsed("title", Self.whole)
    let pipeline = try PipelineOptions(arguments)
    let requests = pipeline.roles.fetcher.hosts
    #expect(requests.userAgents.value(host: "t.co:443") == "curl/8")
    #expect(
      requests.headers.value(host: "t.co")
        == [HeaderField("Authorization", "Bearer x"), HeaderField("Accept-Language", "de")])
    #expect(
      requests.headers.value(host: "www.xn--bcher-kva.example") == [
        HeaderField("A", "1"), HeaderField("A", "2"),
      ])
    #expect(requests.headers.value(host: "xn--bcher-kva.example") == nil)
    let paces = pipeline.roles.aggregator.hostPaces
    #expect(paces.pace(host: "t.co") == HostPace(atOnce: 4, delayMilliseconds: 500))
    #expect(paces.pace(host: "a.xn--bcher-kva.example") == HostPace(atOnce: 6, delayMilliseconds: 2_000))
    #expect(paces.pace(host: "other.test") == HostPace(atOnce: 6))
  }

  @Test func `a command takes what it has options for`() throws {
    func keys(_ command: String) throws -> Set<String> {
      Set(try parsed(command, Self.whole).hosts.map(\.key))
    }
    #expect(try keys("run") == ["user-agent", "headers", "per-host", "delay"])
    #expect(try keys("aggregator") == ["user-agent", "headers", "per-host", "delay"])
    #expect(try keys("fetcher") == [])
    #expect(try keys("status") == [])
  }

  @Test func `the user's file goes before the system's, setting by setting`() throws {
    let arguments = try parsed(
      "title", "[hosts.\"a.test\"]\nper-host = 1\n", "[hosts.\"A.test\"]\nper-host = 2\ndelay = 1\n")
    #expect(
      arguments.hosts.map { "\($0.origin) \($0.key)" } == [
        "file(/0.toml:2:1) per-host", "file(/1.toml:3:1) delay",
      ])
  }

  struct Fault: CustomTestStringConvertible, Sendable {
    var text: String
    var says: String

    init(_ text: String, _ says: String) { (self.text, self.says) = (text, says) }

    var testDescription: String { text.debugDescription }
  }

  @Test(arguments: [
    Fault("[host.\"t.co\"]", "1:2: unknown setting 'host' — did you mean 'hosts'?"),
    Fault("hosts = 1", "1:9: write [hosts.\"NAME\"] above the settings of a host"),
    Fault("[[hosts]]", "1:1: no setting takes an array of tables; write [NAME]"),
    Fault("[hosts]\n\"t.co\" = 4", "2:10: 't.co' is a host: write [hosts.\"t.co\"] above its settings"),
    Fault(
      "[hosts.t.co]\ndelay = 1", "1:10: unknown setting 'co' of hosts.\"t\"; names with dots need quotes"),
    Fault("[hosts.\"http://t.co\"]", "1:8: 'http://t.co' is not the name of a host: leave the scheme out"),
    Fault(
      "[hosts.\"t.co:443\"]",
      "1:8: 't.co:443' is not the name of a host: leave the port out, the settings are for all ports"),
    Fault("[hosts.\"t.co/a\"]", "1:8: 't.co/a' is not the name of a host"),
    Fault("[hosts.\"\"]", "1:8: '' is not the name of a host"),
    Fault("[hosts.\".t.co\"]", "1:8: '.t.co' is not the name of a host"),
    Fault(
      "[hosts.\"*\"]",
      "1:8: '*' is not the name of a host: '*' only stands in front of a dot, for all sub-domains"),
    Fault(
      "[hosts.\"*.10.0.0.1\"]", "1:8: '*.10.0.0.1' is not the name of a host: an address has no sub-domains"),
    Fault("[hosts.\"t.co\"]\n[hosts.\"T.CO\"]", "2:8: 't.co' is there already, in line 1"),
    Fault(
      "[hosts.\"t.co\"]\nheader = [\"A: 1\"]",
      "2:1: unknown setting 'header' of hosts.\"t.co\" — did you mean 'headers'?"),
    Fault("[hosts.\"t.co\"]\nretries = 1", "2:1: unknown setting 'retries' of hosts.\"t.co\""),
    Fault("[hosts.\"t.co\"]\nper-host = 0", "2:12: per-host: '0' is not a whole number from 1 to 10000"),
    Fault("[hosts.\"t.co\"]\nper-host = \"4\"", "2:12: per-host: expected an integer, not a string"),
    Fault("[hosts.\"t.co\"]\ndelay = -1", "2:9: delay: '-1' is not a time such as 500ms, 30s, 2m or 1h"),
    Fault("[hosts.\"t.co\"]\ndelay = \"25h\"", "2:9: delay: '25h' is not between 0 and 24h"),
    Fault("[hosts.\"t.co\"]\ndelay = true", "2:9: delay: expected a number or a string, not a boolean"),
    Fault(
      "[hosts.\"t.co\"]\nuser-agent = \"a\\nb\"",
      "2:14: user-agent: it holds a line end or another control character"),
    Fault("[hosts.\"t.co\"]\nuser-agent = 1", "2:14: user-agent: expected a string, not an integer"),
    Fault(
      "[hosts.\"t.co\"]\nheaders = \"A: 1\"",
      "2:11: headers: expected a table or an array of strings, not a string"),
    Fault("[hosts.\"t.co\"]\nheaders = { A = 1 }", "2:17: headers: expected a string, not an integer"),
    Fault("[hosts.\"t.co\"]\nheaders = { Host = \"b\" }", "2:13: headers: 'Host' is not for users to set"),
    Fault(
      "[hosts.\"t.co\"]\nheaders = { \"A b\" = \"1\" }", "2:13: headers: 'A b' is not the name of a header"),
    Fault(
      "[hosts.\"t.co\"]\nheaders = { A = \"1\\r\\nB: 2\" }",
      "2:13: headers: it holds a line end or another control character"),
    Fault(
      "[hosts.\"t.co\"]\nheaders = [\"A: 1\", \"B\"]", "2:20: headers: 'B' is not of the form 'Name: value'"),
  ])
  func `a fault is told with its line and column`(fault: Fault) {
    let error = #expect(throws: UsageError.self) { try parsed("title", fault.text) }
    #expect(error?.rendered == "halyard: /0.toml:\(fault.says)\n")
  }

  @Test func `settings are shown with their lines, and read back as the same`() throws {
    let first = try parsed("title", Self.whole)
    let tables = ShownTable.hosts([first, try parsed("aggregator", Self.whole)])
    let text = tables.map(\.text).joined(separator: "\n")
    #expect(
      text == """
        [hosts."t.co"]
        user-agent = "curl/8"  # /0.toml:3
        headers = ["Authorization: Bearer x", "Accept-Language: de"]  # /0.toml:4
        per-host = 4  # /0.toml:5
        delay = "500ms"  # /0.toml:6

        [hosts."*.xn--bcher-kva.example"]
        headers = ["A: 1", "A: 2"]  # /0.toml:8
        delay = "2s"  # /0.toml:9

        """)
    #expect(try parsed("title", text).hosts.map(\.text) == first.hosts.map(\.text))
    let one = ShownTable.hosts([try parsed("title", "[hosts.\"t.co\"]\nper-host = 4\n")])
    #expect(
      String(decoding: one.flatMap(\.json), as: UTF8.self)
        == #"{"host":"t.co","name":"per-host","value":4,"from":"file","file":"/0.toml","line":2,"column":1}"#
        + "\n")
  }

  @Test func `what is said to hosts changes what is found, their pace does not`() throws {
    func hash(_ text: String) throws -> UInt64 { FindingSettings.hash(try parsed("title", text)) }
    let none = try hash("")
    #expect(try hash("[hosts.\"a.test\"]\nper-host = 1\ndelay = 1") == none)
    let texts = [
      "[hosts.\"a.test\"]\nuser-agent = \"x\"", "[hosts.\"*.a.test\"]\nuser-agent = \"x\"",
      "[hosts.\"a.test\"]\nheaders = [\"A: 1\"]", "[hosts.\"a.test\"]\nheaders = [\"A: 1\", \"B: 1\"]",
      "[hosts.\"b.test\"]\nheaders = [\"A: 1\"]",
    ]
    #expect(Set(try texts.map(hash) + [none]).count == texts.count + 1)
    let (one, other) = (
      "[hosts.\"a.test\"]\nuser-agent = \"x\"\n", "[hosts.\"b.test\"]\nuser-agent = \"y\"\n"
    )
    #expect(try hash(one + other) == hash(other + one))
  }

  @Test func `tables that change while a worker works need a restart`() throws {
    let (old, moved) = (try parsed("title", Self.whole), try parsed("title", "\n\n" + Self.whole))
    let none = ConfigurationChange(from: old, to: moved)
    #expect(none.applied.isEmpty && none.needsRestart.isEmpty)
    #expect(
      ConfigurationChange(from: old, to: try parsed("title", "per-host = 6")).needsRestart == ["hosts"])
  }
}
