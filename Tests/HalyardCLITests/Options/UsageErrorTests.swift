import Testing

@testable import HalyardCLI

/// A command line that is refused, and the three lines it gets.
struct Refusal: CustomTestStringConvertible {
  var words: [String]
  var problem: String
  var usage = "halyard title [OPTION…] [URL…]"
  var next = "halyard title --help"
  var environment: [String: String] = [:]

  var testDescription: String { words.joined(separator: " ") }
  var rendered: String { "halyard: \(problem)\nusage: \(usage)\ntry:   \(next)\n" }
}

@Suite struct UsageErrorTests {
  static let main = "halyard COMMAND [OPTION…] [ARGUMENT…]"

  static let optionRefusals = [
    Refusal(
      words: ["title", "--formt", "csv"], problem: "unknown option '--formt' — did you mean '--format'?"),
    Refusal(words: ["title", "--formt=csv"], problem: "unknown option '--formt' — did you mean '--format'?"),
    Refusal(words: ["title", "-format"], problem: "unknown option '-format' — did you mean '--format'?"),
    Refusal(
      words: ["title", "--conc", "9"], problem: "unknown option '--conc' — did you mean '--concurrency'?"),
    Refusal(
      words: ["title", "--no-quite"], problem: "unknown option '--no-quite' — did you mean '--no-quiet'?"),
    Refusal(words: ["title", "--zzzzzz"], problem: "unknown option '--zzzzzz'"),
    Refusal(words: ["title", "-z"], problem: "unknown option '-z'"),
    Refusal(words: ["title", "--select", "/a"], problem: "unknown option '--select'"),
    Refusal(
      words: ["title", "--no-input"], problem: "unknown option '--no-input' — did you mean '--input'?"),
    Refusal(words: ["title", "--quiet=yes"], problem: "option '--quiet' takes no value"),
    Refusal(words: ["title", "--no-quiet=1"], problem: "option '--no-quiet' takes no value"),
    Refusal(words: ["title", "--timeout"], problem: "option '--timeout' needs a value: TIME"),
    Refusal(
      words: ["title", "--format", "--quiet"],
      problem: "option '--format' needs a value: jsonl, csv, tsv, table"),
    Refusal(
      words: ["title", "--format", "xml"],
      problem: "option '--format': 'xml' is not one of jsonl, csv, tsv, table"),
    Refusal(
      words: ["title", "--timeout", "10x"],
      problem: "option '--timeout': '10x' is not a time such as 500ms, 30s, 2m or 1h"),
    Refusal(words: ["title", "--timeout=0"], problem: "option '--timeout': '0' is not between 1ms and 24h"),
    Refusal(
      words: ["title", "--concurrency", "0"],
      problem: "option '--concurrency': '0' is not a whole number from 1 to 10000"),
    Refusal(
      words: ["title", "--max-body", "8MB"],
      problem: "option '--max-body': '8MB' is not a size such as 65536, 64K, 8MiB or 1G"),
    Refusal(
      words: ["title", "--max-body", "1"], problem: "option '--max-body': '1' is not between 1KiB and 12MiB"),
    Refusal(
      words: ["title", "--fields", "url,,title"], problem: "option '--fields': 'url,,title' has an empty name"
    ),
  ]

  static let commandRefusals = [
    Refusal(
      words: ["decode", "--require", "/a:int"],
      problem:
        "option '--require': '/a:int' does not end in a type: write PATH:TYPE, where TYPE is object, array, string, number, integer, boolean, null or any",
      usage: "halyard decode [OPTION…] [URL…]", next: "halyard decode --help"),
    Refusal(
      words: ["decode", "--select", "items/0"],
      problem:
        "option '--select': 'items/0' is neither a JSON Pointer nor a JSONPath query: it must be empty or start with '/' or '$'",
      usage: "halyard decode [OPTION…] [URL…]", next: "halyard decode --help"),
    Refusal(
      words: ["decode", "--select", "$.items[0"],
      problem: "option '--select': '$.items[0' is not a JSONPath query: expected ',' or ']' at byte 9",
      usage: "halyard decode [OPTION…] [URL…]", next: "halyard decode --help"),
    Refusal(
      words: ["titel"], problem: "unknown command 'titel' — did you mean 'title'?", usage: main,
      next: "halyard title --help"),
    Refusal(words: ["grab"], problem: "unknown command 'grab'", usage: main, next: "halyard --help"),
    Refusal(
      words: ["help", "dem"], problem: "unknown command 'dem' — did you mean 'demo'?", usage: main,
      next: "halyard demo --help"),
    Refusal(
      words: ["https://a.test/?q=1&r=it's", "--format", "csv"],
      problem: "unknown command 'https://a.test/?q=1&r=it's'",
      usage: main, next: #"halyard title 'https://a.test/?q=1&r=it'\''s' --format csv"#),
    Refusal(
      words: ["--versoin"], problem: "unknown option '--versoin' — did you mean '--version'?", usage: main,
      next: "halyard --help"),
    Refusal(
      words: ["--format", "csv", "title"], problem: "option '--format' stands before the command",
      usage: main,
      next: "halyard --help"),
    Refusal(
      words: ["demo", "https://a.test/"], problem: "unexpected argument 'https://a.test/'",
      usage: "halyard demo [OPTION…]", next: "halyard demo --help"),
    Refusal(
      words: ["title"],
      problem: "environment variable HALYARD_TIMEOUT: 'soon' is not a time such as 500ms, 30s, 2m or 1h",
      next: "unset HALYARD_TIMEOUT", environment: ["HALYARD_TIMEOUT": "soon"]),
    Refusal(
      words: ["title"], problem: "environment variable HALYARD_QUIET: 'perhaps' is neither 1 nor 0",
      next: "unset HALYARD_QUIET", environment: ["HALYARD_QUIET": "perhaps"]),
  ]

  @Test(arguments: optionRefusals + commandRefusals)
  func `a bad command line is told what is wrong, the usage, and the next command`(refusal: Refusal) {
    let error = #expect(throws: UsageError.self) {
      let invocation = try Invocation.parse(refusal.words, environment: refusal.environment)
      // Whose page is wanted, `help` itself finds out.
      if case .run(let arguments) = invocation { _ = try HelpPage.text(on: arguments.operands.first) }
    }
    #expect(error?.rendered == refusal.rendered)
  }

  @Test func `a value that is refused later names where it came from`() throws {
    func refuse(_ words: [String], _ environment: [String: String]) throws -> String? {
      guard case .run(let arguments) = try Invocation.parse(words, environment: environment) else {
        return nil
      }
      return arguments.rejection(of: LinkOption.allowAddress, "'x' is not an address range").rendered
    }
    let flag = try refuse(["title", "--allow-address", "x"], [:])
    #expect(flag?.hasPrefix("halyard: option '--allow-address': 'x' is not an address range\n") == true)
    let variable = try refuse(["title"], ["HALYARD_ALLOW_ADDRESS": "x"])
    #expect(variable?.hasPrefix("halyard: environment variable HALYARD_ALLOW_ADDRESS: 'x' is no") == true)
    #expect(variable?.hasSuffix("try:   unset HALYARD_ALLOW_ADDRESS\n") == true)
  }
}
