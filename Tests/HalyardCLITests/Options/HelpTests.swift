import Testing

@testable import HalyardCLI

/// Words behind `halyard`, and the page they show.
struct HelpCall: CustomTestStringConvertible {
  var words: [String]
  var golden: String

  var testDescription: String { words.joined(separator: " ") }
}

@Suite struct HelpTests {
  static let calls = [
    HelpCall(words: ["--help"], golden: HelpGolden.main),
    HelpCall(words: ["-h"], golden: HelpGolden.main),
    HelpCall(words: ["help"], golden: HelpGolden.main),
    HelpCall(words: ["unfurl", "--help"], golden: HelpGolden.unfurl),
    HelpCall(words: ["help", "unfurl"], golden: HelpGolden.unfurl),
    HelpCall(words: ["title", "-h"], golden: HelpGolden.title),
    HelpCall(words: ["title", "https://a.test/", "--format", "csv", "--help"], golden: HelpGolden.title),
    HelpCall(words: ["decode", "--help"], golden: HelpGolden.decode),
    HelpCall(words: ["run", "--help"], golden: HelpGolden.run),
    HelpCall(words: ["explain", "--help"], golden: HelpGolden.explain),
    HelpCall(words: ["demo", "--help"], golden: HelpGolden.demo),
    HelpCall(words: ["version", "--help"], golden: HelpGolden.version),
    HelpCall(words: ["--version", "--verbose", "--help"], golden: HelpGolden.version),
    HelpCall(words: ["help", "--help"], golden: HelpGolden.help),
    HelpCall(words: ["submit", "--help"], golden: HelpGolden.submit),
    HelpCall(words: ["results", "--help"], golden: HelpGolden.results),
    HelpCall(words: ["watch", "--help"], golden: HelpGolden.watch),
    HelpCall(words: ["status", "--help"], golden: HelpGolden.status),
    HelpCall(words: ["cancel", "--help"], golden: HelpGolden.cancel),
    HelpCall(words: ["requeue", "--help"], golden: HelpGolden.requeue),
    HelpCall(words: ["ping", "--help"], golden: HelpGolden.ping),
    HelpCall(words: ["up", "--help"], golden: HelpGolden.up),
    HelpCall(words: ["aggregator", "--help"], golden: HelpGolden.aggregator),
    HelpCall(words: ["fetcher", "--help"], golden: HelpGolden.fetcher),
    HelpCall(words: ["decoder", "--help"], golden: HelpGolden.decoder),
    HelpCall(words: ["keys", "--help"], golden: HelpGolden.keys),
    HelpCall(words: ["completions", "--help"], golden: HelpGolden.completions),
    HelpCall(words: ["man", "--help"], golden: HelpGolden.man),
    HelpCall(words: ["config", "--help"], golden: HelpGolden.config),
    HelpCall(words: ["doctor", "--help"], golden: HelpGolden.doctor),
    HelpCall(words: ["--version"], golden: "halyard 0.1.0\n"),
  ]

  @Test(arguments: calls)
  func `help is shown word for word`(call: HelpCall) throws {
    guard case .show(let text) = try Invocation.parse(call.words, environment: [:]) else {
      Issue.record("\(call.words) shows nothing")
      return
    }
    #expect(text == call.golden)
  }

  @Test func `halyard alone is a usage error that shows the short help`() {
    let error = #expect(throws: UsageError.self) { try Invocation.parse([], environment: [:]) }
    #expect(error?.rendered == HelpGolden.short)
  }

  @Test func `no line of help is wider than 100 columns`() {
    let pages = CommandTable.commands.map { HelpPage($0).rendered } + [HelpPage.main, HelpPage.short]
    let wide = pages.flatMap { $0.split(separator: "\n") }.filter { $0.count > 100 }
    #expect(wide.isEmpty)
  }

  @Test(arguments: CommandTable.commands.map(\.name))
  func `every example in the help parses`(name: String) throws {
    for example in try #require(CommandTable.command(named: name)).examples {
      let call = example.command.split(separator: "|").last ?? ""
      // Without quotes, as a shell hands it over.
      let words = call.split(separator: ">")[0].filter { $0 != "'" }.split(separator: " ").map(String.init)
      #expect(throws: Never.self) { try Invocation.parse(Array(words.dropFirst()), environment: [:]) }
    }
  }
}
