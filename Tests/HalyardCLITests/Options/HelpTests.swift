import Testing

@testable import HalyardCLI

/// Words behind `halyard`, and the page they show.
struct HelpCall: CustomTestStringConvertible {
  var words: [String]
  /// The name of the page.
  var page: String

  var testDescription: String { words.joined(separator: " ") }
}

@Suite struct HelpTests {
  static let calls = [
    HelpCall(words: ["--help"], page: "main"),
    HelpCall(words: ["-h"], page: "main"),
    HelpCall(words: ["help"], page: "main"),
    HelpCall(words: ["help", "environment"], page: "environment"),
    HelpCall(words: ["unfurl", "--help"], page: "unfurl"),
    HelpCall(words: ["help", "unfurl"], page: "unfurl"),
    HelpCall(words: ["title", "-h"], page: "title"),
    HelpCall(words: ["title", "https://a.test/", "--format", "csv", "--help"], page: "title"),
    HelpCall(words: ["decode", "--help"], page: "decode"),
    HelpCall(words: ["run", "--help"], page: "run"),
    HelpCall(words: ["explain", "--help"], page: "explain"),
    HelpCall(words: ["links", "--help"], page: "links"),
    HelpCall(words: ["demo", "--help"], page: "demo"),
    HelpCall(words: ["serve", "--help"], page: "serve"),
    HelpCall(words: ["version", "--help"], page: "version"),
    HelpCall(words: ["--version", "--verbose", "--help"], page: "version"),
    HelpCall(words: ["help", "--help"], page: "help"),
    HelpCall(words: ["submit", "--help"], page: "submit"),
    HelpCall(words: ["results", "--help"], page: "results"),
    HelpCall(words: ["watch", "--help"], page: "watch"),
    HelpCall(words: ["status", "--help"], page: "status"),
    HelpCall(words: ["job", "--help"], page: "job"),
    HelpCall(words: ["jobs", "--help"], page: "jobs"),
    HelpCall(words: ["batches", "--help"], page: "batches"),
    HelpCall(words: ["change", "--help"], page: "change"),
    HelpCall(words: ["cancel", "--help"], page: "cancel"),
    HelpCall(words: ["pause", "--help"], page: "pause"),
    HelpCall(words: ["resume", "--help"], page: "resume"),
    HelpCall(words: ["requeue", "--help"], page: "requeue"),
    HelpCall(words: ["drain", "--help"], page: "drain"),
    HelpCall(words: ["ping", "--help"], page: "ping"),
    HelpCall(words: ["ledger", "--help"], page: "ledger"),
    HelpCall(words: ["up", "--help"], page: "up"),
    HelpCall(words: ["scale", "--help"], page: "scale"),
    HelpCall(words: ["down", "--help"], page: "down"),
    HelpCall(words: ["aggregator", "--help"], page: "aggregator"),
    HelpCall(words: ["fetcher", "--help"], page: "fetcher"),
    HelpCall(words: ["decoder", "--help"], page: "decoder"),
    HelpCall(words: ["keys", "--help"], page: "keys"),
    HelpCall(words: ["completions", "--help"], page: "completions"),
    HelpCall(words: ["man", "--help"], page: "man"),
    HelpCall(words: ["config", "--help"], page: "config"),
    HelpCall(words: ["doctor", "--help"], page: "doctor"),
  ]

  @Test(arguments: calls)
  func `help is shown word for word`(call: HelpCall) throws {
    let text =
      switch try Invocation.parse(call.words, environment: [:]) {
      case .show(let page): page
      case .run(let arguments): try HelpPage.text(on: arguments.operands.first)
      }
    #expect(try text == HelpGolden.page(call.page, shown: text))
  }

  @Test func `every command has its page`() {
    #expect(Set(CommandTable.commands.map(\.name)).isSubset(of: Self.calls.map(\.page)))
  }

  @Test func `the version is one line`() throws {
    guard case .show(let text) = try Invocation.parse(["--version"], environment: [:]) else {
      Issue.record("--version shows nothing")
      return
    }
    #expect(text == "halyard \(halyardVersion)\n")
  }

  @Test func `halyard alone is a usage error that shows the short help`() throws {
    let error = #expect(throws: UsageError.self) { try Invocation.parse([], environment: [:]) }
    let shown = try #require(error?.rendered)
    #expect(try shown == HelpGolden.page("short", shown: shown))
  }

  @Test func `no line of help is wider than 100 columns`() {
    let pages = CommandTable.commands.map { HelpPage($0).rendered } + [HelpPage.main, HelpPage.short]
    let wide = pages.flatMap { $0.split(separator: "\n") }.filter { $0.count > 100 }
    #expect(wide.isEmpty)
  }

  @Test(arguments: CommandTable.commands.map(\.name))
  func `every example in the help parses`(name: String) throws {
    for example in try #require(CommandTable.command(named: name)).examples {
      let call = example.key.split(separator: "|").last ?? ""
      // Without quotes, as a shell hands it over.
      let words = call.split(separator: ">")[0].filter { $0 != "'" }.split(separator: " ").map(String.init)
      #expect(throws: Never.self) { try Invocation.parse(Array(words.dropFirst()), environment: [:]) }
    }
  }
}
