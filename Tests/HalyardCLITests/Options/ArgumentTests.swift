import Testing

@testable import HalyardCLI

@Suite struct ArgumentTests {
  private func parse(
    _ words: String..., environment: [String: String] = [:]
  ) throws -> ParsedArguments {
    guard case .run(let arguments) = try Invocation.parse(words, environment: environment) else {
      throw NotACommand()
    }
    return arguments
  }

  private struct NotACommand: Error {}

  @Test func `defaults hold when nothing is said`() throws {
    let arguments = try parse("title", "https://a.test/")
    #expect(arguments.operands == ["https://a.test/"])
    #expect(arguments[LinkOption.concurrency] == 256)
    #expect(arguments[LinkOption.perHost] == 8)
    #expect(arguments[LinkOption.hostDelay] == 0)
    #expect(arguments[LinkOption.maxHops] == 20)
    #expect(arguments[LinkOption.timeout] == 30_000)
    #expect(arguments[LinkOption.deadline] == nil)
    #expect(arguments[LinkOption.maxPage] == 1_048_576)
    #expect(arguments[LinkOption.retries] == 3)
    #expect(arguments[LinkOption.retryBudget] == 20)
    #expect(arguments[LinkOption.giveUp] == 15)
    #expect(arguments[LinkOption.userAgent] == "halyard/0.1.0")
    #expect(arguments[LinkOption.allowAddress].isEmpty)
    #expect(arguments[LinkOption.format] == nil)
    #expect(arguments[LinkOption.inputFormat] == .auto)
    #expect(arguments[LinkOption.progress] == .auto)
    #expect(!arguments[LinkOption.ordered])
    #expect(!arguments[LinkOption.quiet])
    #expect(try parse("decode")[LinkOption.maxDocument] == 8_388_608)
  }

  @Test func `values stand behind a space or an equals sign`() throws {
    let arguments = try parse("title", "--timeout", "10s", "--format=csv", "--user-agent=a=b")
    #expect(arguments[LinkOption.timeout] == 10_000)
    #expect(arguments[LinkOption.format] == .csv)
    #expect(arguments[LinkOption.userAgent] == "a=b")
  }

  @Test(arguments: [["-o", "rows.csv"], ["-orows.csv"], ["--output", "rows.csv"], ["--output=rows.csv"]])
  func `the output file has a long and a short form`(words: [String]) throws {
    let invocation = try Invocation.parse(["title"] + words, environment: [:])
    guard case .run(let arguments) = invocation else { throw NotACommand() }
    #expect(arguments[LinkOption.output] == "rows.csv")
  }

  @Test func `options and links mix, and a dash is a link's place`() throws {
    let arguments = try parse("title", "https://a.test/", "--ordered", "-", "--quiet")
    #expect(arguments.operands == ["https://a.test/", "-"])
    #expect(arguments[LinkOption.ordered] && arguments[LinkOption.quiet])
  }

  @Test func `two dashes end the options`() throws {
    let arguments = try parse("title", "--quiet", "--", "--ordered", "-h", "--")
    #expect(arguments.operands == ["--ordered", "-h", "--"])
    #expect(!arguments[LinkOption.ordered])
  }

  @Test func `a limit may be never`() throws {
    #expect(try parse("title", "--give-up", "never")[LinkOption.giveUp] == nil)
    #expect(try parse("title", "--give-up=1")[LinkOption.giveUp] == 1)
    #expect(try parse("run", "users", environment: ["HALYARD_GIVE_UP": "never"])[LinkOption.giveUp] == nil)
    let error = #expect(throws: UsageError.self) { try parse("aggregator", "--give-up", "0") }
    #expect(
      error?.rendered.hasPrefix(
        "halyard: option '--give-up': '0' is neither a whole number from 1 to 10000 nor 'never'\n") == true)
  }

  @Test func `the last of several values wins`() throws {
    let arguments = try parse("title", "--retries", "1", "--retries=2", "--keep", "a", "--keep", "b,c")
    #expect(arguments[LinkOption.retries] == 2)
    #expect(arguments[LinkOption.keep] == ["b", "c"])
    #expect(try !parse("title", "--ordered", "--no-ordered")[LinkOption.ordered])
  }

  @Test func `repeated texts add up`() throws {
    let arguments = try parse("title", "--allow-address", "10.0.0.0/8", "--allow-address=::1/128")
    #expect(arguments[LinkOption.allowAddress] == ["10.0.0.0/8", "::1/128"])
  }

  @Test func `a negative number is a value, a long option is not`() {
    #expect(throws: UsageError.self) { try parse("title", "--output", "--quiet") }
    #expect(throws: Never.self) { try parse("title", "--output=--quiet") }
    let error = #expect(throws: UsageError.self) { try parse("title", "--retries", "-1") }
    #expect(error?.rendered.hasPrefix("halyard: option '--retries': '-1' is not a whole number") == true)
  }

  @Test func `variables give defaults below the command line`() throws {
    let environment = [
      "HALYARD_TIMEOUT": "10s", "HALYARD_ALLOW_ADDRESS": "127.0.0.0/8, ::1/128", "HALYARD_ORDERED": "yes",
      "HALYARD_QUIET": "0", "HALYARD_RETRIES": "", "HALYARD_INPUT": "ignored.txt",
    ]
    let arguments = try parse("title", environment: environment)
    #expect(arguments[LinkOption.timeout] == 10_000)
    #expect(arguments.origin(of: LinkOption.timeout.spec) == .environment)
    #expect(arguments[LinkOption.allowAddress] == ["127.0.0.0/8", "::1/128"])
    #expect(arguments[LinkOption.ordered])
    #expect(!arguments[LinkOption.quiet])
    #expect(arguments[LinkOption.retries] == 3)
    #expect(arguments[LinkOption.input].isEmpty)

    let covered = try parse(
      "title", "--timeout", "1", "--no-ordered", "--allow-address", "10.0.0.0/8", environment: environment)
    #expect(covered[LinkOption.timeout] == 1_000)
    #expect(covered.origin(of: LinkOption.timeout.spec) == .commandLine)
    #expect(!covered[LinkOption.ordered])
    #expect(covered[LinkOption.allowAddress] == ["10.0.0.0/8"])
  }

  @Test func `a bad variable does not matter when the command line covers it`() throws {
    let arguments = try parse("title", "--timeout", "5s", environment: ["HALYARD_TIMEOUT": "soon"])
    #expect(arguments[LinkOption.timeout] == 5_000)
  }
}
