import TOML
import Testing

@testable import HalyardCLI

/// Arguments as they are read beside files of settings, the one that counts most first.
private func parsed(
  _ words: [String], environment: [String: String] = [:], files: [String]
) throws -> ParsedArguments {
  let settings = SettingsSource { _ throws(UsageError) in
    var read: [SettingsFile] = []
    for (index, text) in files.enumerated() {
      read.append(try SettingsFile(parsing: Array(text.utf8), path: "/\(index).toml"))
    }
    return read
  }
  guard case .run(let arguments) = try Invocation.parse(words, environment: environment, settings: settings)
  else {
    throw UsageError(rendered: "help")
  }
  return arguments
}

@Suite struct SettingsTests {
  @Test
  func `the command line goes before variables, they before the user's file, and that before the system's`()
    throws
  {
    let files = ["[title]\nconcurrency = 3\n", "concurrency = 4\nretries = 5\n"]
    let variables = ["HALYARD_CONCURRENCY": "2"]
    func concurrency(_ words: [String], _ variables: [String: String], _ files: [String]) throws -> Int {
      try parsed(["title", "a.test"] + words, environment: variables, files: files)[LinkOption.concurrency]
    }
    #expect(try concurrency(["--concurrency", "1"], variables, files) == 1)
    #expect(try concurrency([], variables, files) == 2)
    #expect(try concurrency([], [:], files) == 3)
    #expect(try concurrency([], [:], [files[1]]) == 4)
    #expect(try concurrency([], [:], []) == 256)
    #expect(try parsed(["title", "a.test"], files: files)[LinkOption.retries] == 5)
  }

  @Test func `a command's own table goes before what stands at the top`() throws {
    let text = "timeout = \"5s\"\n[title]\ntimeout = \"7s\"\n"
    #expect(try parsed(["title", "a.test"], files: [text])[LinkOption.timeout] == 7_000)
    #expect(try parsed(["unfurl", "a.test"], files: [text])[LinkOption.timeout] == 5_000)
  }

  @Test func `every kind of option is read`() throws {
    let text = """
      [decode]
      ordered = true
      input-format = "csv"
      keep = ["id", "name"]
      require = ["/a:string", "$.b:integer"]
      allow-address = "10.0.0.0/8"
      concurrency = 64
      give-up = "never"
      timeout = 5
      deadline = 1.5
      host-delay = "250ms"
      max-body = "2MiB"
      retry-budget = 30
      select = "/items/0"
      user-agent = "ship/1"
      """
    let arguments = try parsed(["decode", "a.test"], files: [text])
    #expect(arguments[LinkOption.ordered])
    #expect(arguments[LinkOption.inputFormat] == .csv)
    #expect(arguments[LinkOption.keep] == ["id", "name"])
    #expect(arguments[LinkOption.require] == ["/a:string", "$.b:integer"])
    #expect(arguments[LinkOption.allowAddress] == ["10.0.0.0/8"])
    #expect(arguments[LinkOption.concurrency] == 64)
    #expect(arguments[LinkOption.giveUp] == nil)
    #expect(arguments[LinkOption.timeout] == 5_000)
    #expect(arguments[LinkOption.deadline] == 1_500)
    #expect(arguments[LinkOption.hostDelay] == 250)
    #expect(arguments[LinkOption.maxDocument] == 2 << 20)
    #expect(arguments[LinkOption.retryBudget] == 30)
    #expect(arguments[LinkOption.select] == "/items/0")
    #expect(arguments[LinkOption.userAgent] == "ship/1")
  }

  @Test func `the command line undoes a flag of a file`() throws {
    let text = "quiet = true\nallow-address = [\"10.0.0.0/8\"]\n"
    let words = ["title", "--no-quiet", "--allow-address", "127.0.0.1", "a.test"]
    #expect(try !parsed(words, files: [text])[LinkOption.quiet])
    #expect(try parsed(words, files: [text])[LinkOption.allowAddress] == ["127.0.0.1"])
  }

  struct Fault: CustomTestStringConvertible, Sendable {
    var text: String
    var says: String

    init(_ text: String, _ says: String) { (self.text, self.says) = (text, says) }

    var testDescription: String { text.debugDescription }
  }

  @Test(arguments: [
    Fault(
      "[title]\nconcurency = 64", "2:1: unknown setting 'concurency' of title — did you mean 'concurrency'?"),
    Fault("concurency = 64", "1:1: unknown setting 'concurency' — did you mean 'concurrency'?"),
    Fault("[titel]\nquiet = true", "1:2: unknown setting 'titel' — did you mean 'title'?"),
    Fault("[title]\nhelp = true", "2:1: unknown setting 'help' of title"),
    Fault("[title]\nconfig = \"x\"", "2:1: unknown setting 'config' of title"),
    Fault("config = \"x\"", "1:10: 'config' is a command: write [config] above its settings"),
    Fault("title = 1", "1:9: 'title' is a command: write [title] above its settings"),
    Fault("[title]\nconcurrency = \"many\"", "2:15: concurrency: expected an integer, not a string"),
    Fault("[title]\nconcurrency = 0", "2:15: concurrency: '0' is not a whole number from 1 to 10000"),
    Fault("[title]\nquiet = \"yes\"", "2:9: quiet: expected true or false, not a string"),
    Fault("[title]\nformat = \"xml\"", "2:10: format: 'xml' is not one of jsonl, csv, tsv, table"),
    Fault("[title]\nformat = 1", "2:10: format: expected a string, not an integer"),
    Fault(
      "[title]\ntimeout = inf",
      "2:11: 'inf' is neither a number nor true or false; a text stands in quotes"),
    Fault("[title]\ntimeout = \"soon\"", "2:11: timeout: 'soon' is not a time such as 500ms, 30s, 2m or 1h"),
    Fault("[title]\nkeep = [\"a\", 1]", "2:14: keep: expected a string, not an integer"),
    Fault("[title]\nkeep = true", "2:8: keep: expected a string or an array of strings, not a boolean"),
    Fault("[title.format]\nx = 1", "1:1: format: expected a string, not a table"),
    Fault("timeout = false", "1:11: timeout: expected a number or a string, not a boolean"),
    Fault("[title]\na = = 1", "2:5: expected a value"),
    Fault("[title]\n[title]", "2:2: 'title' is there already, in line 1"),
  ])
  func `a fault is told with its line and column`(fault: Fault) {
    let error = #expect(throws: UsageError.self) { try parsed(["title", "a.test"], files: [fault.text]) }
    #expect(error?.rendered.hasPrefix("halyard: /0.toml:\(fault.says)") == true)
  }

  @Test func `a value that is wrong only in its place names the file as well`() throws {
    let arguments = try parsed(["title", "a.test"], files: ["\nallow-address = [\"here\"]\n"])
    let error = arguments.rejection(of: LinkOption.allowAddress, "'here' is neither")
    #expect(error.rendered == "halyard: /0.toml:2:1: allow-address: 'here' is neither\n")
  }

  @Test func `commands without settings read no file`() throws {
    let error = UsageError(rendered: "read")
    let settings = SettingsSource { _ throws(UsageError) in throw error }
    #expect(throws: Never.self) {
      try Invocation.parse(["completions", "bash"], environment: [:], settings: settings)
    }
    #expect(throws: error) {
      try Invocation.parse(["title", "a.test"], environment: [:], settings: settings)
    }
  }

  @Test(arguments: CommandTable.commands.map(\.name))
  func `what is shown of a command is TOML, and reads back as the same values`(name: String) throws {
    let command = try #require(CommandTable.command(named: name))
    let text =
      "quiet = true\ncolumn = \"a\\\"b\\\\c\\u0007é\"\ngive-up = \"never\"\nretries = 7\ntimeout = \"90s\"\n"
    func read(_ text: String) throws -> ParsedArguments {
      let source = SettingsSource { _ throws(UsageError) in
        [try SettingsFile(parsing: Array(text.utf8), path: "/f.toml")]
      }
      return try ArgumentParser.defaults(of: command, [:], source, nil)
    }
    let first = try read(text)
    let options = SettingsFile.options(of: command)
    let shown = options.map { ShownSetting($0, first.setting(of: $0)).line }.joined(separator: "\n")
    let second = try read(options.isEmpty ? "" : "[\(name)]\n\(shown)\n")
    for option in options {
      guard let value = first.value(of: option) else { continue }
      #expect(second.value(of: option) == value, "\(option.name)")
    }
  }

  @Test func `a setting is shown with where it comes from`() throws {
    let arguments = try parsed(
      ["title", "--retries", "2", "a.test"], environment: ["HALYARD_TIMEOUT": "1m"],
      files: ["[title]\nper-host = 4\n"])
    func line(_ option: OptionSpec) -> String { ShownSetting(option, arguments.setting(of: option)).line }
    #expect(line(LinkOption.retries.spec) == "retries = 2  # --retries")
    #expect(line(LinkOption.timeout.spec) == "timeout = \"1m\"  # HALYARD_TIMEOUT")
    #expect(line(LinkOption.perHost.spec) == "per-host = 4  # /0.toml:2")
    #expect(line(LinkOption.concurrency.spec) == "concurrency = 256  # default")
    #expect(line(LinkOption.proxy.spec) == "# proxy  # not set")
    #expect(line(LinkOption.deadline.spec) == "# deadline  # default: none")
    #expect(
      String(
        decoding: ShownSetting(LinkOption.perHost.spec, arguments.setting(of: LinkOption.perHost)).json(
          of: ("command", "title")),
        as: UTF8.self)
        == #"{"command":"title","name":"per-host","value":4,"from":"file","file":"/0.toml","line":2,"column":1}"#
        + "\n")
  }
}
