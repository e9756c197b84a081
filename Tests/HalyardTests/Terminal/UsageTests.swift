import JSONQuery
import Testing

/// What is wrong with the command line or the input is told on standard error, with an exit code of its own.
@Suite(.timeLimit(.minutes(10)))
struct UsageTests {
  struct Mistake: CustomTestStringConvertible, Sendable {
    var words: [String]
    var status: Int32
    var says: String
    var input = ""

    var testDescription: String { words.joined(separator: " ") }
  }

  private static let noPEM = "option '--cacert': '/etc/passwd' is not a PEM file of certificates"

  @Test(arguments: [
    Mistake(words: ["title", "--formt", "csv", "a.test"], status: 64, says: "did you mean '--format'?"),
    Mistake(words: ["titel", "a.test"], status: 64, says: "did you mean 'title'?"),
    Mistake(words: [], status: 64, says: "usage: halyard"),
    Mistake(words: ["title", "--timeout", "soon", "a.test"], status: 64, says: "'soon' is not a time"),
    Mistake(words: ["title", "--allow-address", "here", "a.test"], status: 64, says: "'here' is neither"),
    Mistake(words: ["title", "--user-agent", "a\r\nb: c", "a.test"], status: 64, says: "holds a line end"),
    Mistake(words: ["title", "--header", "A: b\r\nC: d", "a.test"], status: 64, says: "holds a line end"),
    Mistake(
      words: ["title", "--header", "nothing", "a.test"], status: 64, says: "of the form 'Name: value'"),
    Mistake(
      words: ["title", "--header", "Host: b.test", "a.test"], status: 64, says: "'Host' is not for users"),
    Mistake(words: ["title", "--cookie", "a=b; c", "a.test"], status: 64, says: "of the form name=value"),
    Mistake(words: ["unfurl", "--method", "post", "a.test"], status: 64, says: "is not one of get, head"),
    Mistake(
      words: ["explain", "--cacert", "/no/such", "a.test"], status: 64, says: "'/no/such' cannot be read"),
    Mistake(words: ["unfurl", "--cacert", "/etc/passwd", "a.test"], status: 64, says: noPEM),
    Mistake(words: ["title", "--cacert", "/etc/passwd", "a.test"], status: 64, says: noPEM),
    Mistake(words: ["decode", "--cacert", "/etc/passwd", "a.test"], status: 64, says: noPEM),
    Mistake(words: ["explain", "--cacert", "/etc/passwd", "a.test"], status: 64, says: noPEM),
    Mistake(words: ["fetcher", "--cacert", "/etc/passwd"], status: 64, says: noPEM),
    Mistake(words: ["run"], status: 64, says: "no recipe given"),
    Mistake(words: ["run", "users"], status: 64, says: "no value for 'base': give --param base"),
    Mistake(
      words: ["run", "--check", "--show", "users"], status: 64, says: "--check and --show are two things"),
    Mistake(words: ["run", "--show", "usres"], status: 65, says: "did you mean 'users'?"),
    Mistake(words: ["run", "--check", "no/such.json"], status: 65, says: "halyard: no/such.json: "),
    Mistake(
      words: ["run", "--check", "users", "--param", "detials=no"], status: 64,
      says: "option '--param': unknown parameter 'detials' — did you mean 'details'?"),
    Mistake(words: ["explain"], status: 64, says: "no link given"),
    Mistake(words: ["title", "-o", "", "a.test"], status: 64, says: "the file's name is empty"),
    Mistake(words: ["title", "--input="], status: 64, says: "the file's name is empty"),
    Mistake(words: ["title", "--input", "no/such.txt"], status: 65, says: "halyard: no/such.txt: "),
    Mistake(words: ["title", "--input", "/"], status: 65, says: "halyard: /: "),
    Mistake(
      words: ["title", "--column", "url", "-"], status: 65, says: "no column 'url'", input: "a,b\n1,2\n"),
    Mistake(words: ["title", "-o", "/no/such/file", "a.test"], status: 65, says: "halyard: /no/such/file: "),
  ])
  func `a mistake is told on standard error, and nothing is printed`(mistake: Mistake) async throws {
    let ended = try await Child(mistake.words, input: .text(mistake.input)).ended()
    #expect(ended.status == mistake.status)
    #expect(ended.messages.contains(mistake.says))
    #expect(ended.output.isEmpty)
  }

  @Test(arguments: [
    ["aggregator", "--ledgr", "here"], ["fetcher", "--concurrency", "0"], ["decoder", "--bind"],
    ["up", "--fetchers", "0"], ["serve", "--http", "nowhere"],
  ])
  func `a mistake in the words of a worker is an event of its log`(words: [String]) async throws {
    let ended = try await Child(words + ["--log-format=json"]).ended()
    #expect(ended.status == 64)
    let lines = ended.messages.split(separator: "\n")
    #expect(lines.count == 1)
    let event = try JSONDocument(parsing: Array(ended.messages.utf8)).root
    #expect(event["level"]?.string == "error")
    #expect(event["role"]?.string == words[0])
  }

  @Test(arguments: [["--help"], ["help"], ["title", "--help"], ["--version"]])
  func `help and version go to standard output`(words: [String]) async throws {
    let ended = try await Child(words).ended()
    #expect(ended.status == 0)
    #expect(ended.output.contains("halyard"))
    #expect(ended.messages.isEmpty)
  }

  @Test func `a line that is no link fails alone`() async throws {
    let ended = try await halyard("title", "-", input: .text("not a url\n"))
    #expect(ended.status == 1)
    #expect(try ended.rows().map(\.outcome) == ["invalid_input"])
  }

  @Test(arguments: ["", "\n\n \n"])
  func `an input without links is a run without rows`(text: String) async throws {
    let ended = try await halyard("title", "-", input: .text(text))
    #expect(ended.status == 0)
    #expect(ended.output.isEmpty)
  }
}
