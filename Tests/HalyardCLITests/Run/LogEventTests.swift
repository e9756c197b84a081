import JSONQuery
import LinkPreviews
import Pipeline
import Posix
import Testing

@testable import HalyardCLI

@Suite(.timeLimit(.minutes(2)))
struct LogEventTests {
  private func event(
    _ message: String = "burst not sent", _ fields: [LogField] = [], role: String? = "fetcher",
    _ level: LogLevel = .warning
  ) -> LogEvent {
    var event = LogEvent(level, message, fields, role: role)
    (event.process, event.unixMilliseconds) = (4_711, 1_795_337_377_007)
    return event
  }

  @Test func `as JSON an event is one object on one line`() {
    #expect(
      event(fields: [LogField("job", "j1"), LogField("in milliseconds", 3)]).line(as: .json)
        == #"{"time":"2026-11-22T08:49:37.007Z","level":"warning","role":"fetcher","process":4711,"#
        + #""event":"burst not sent","job":"j1","in_milliseconds":"3"}"# + "\n")
  }

  private func event(fields: [LogField]) -> LogEvent { event("burst not sent", fields) }

  @Test func `foreign text breaks neither the line nor the object, nor takes a name that all lines have`()
    throws
  {
    let fields = [LogField("cause", "two\nlines \"and\" \u{1B}[2J\u{2028}"), LogField("process", 12)]
    let line = event(fields: fields).line(as: .json)
    #expect(line.count { $0.isNewline } == 1 && line.hasSuffix("\n"))
    #expect(!line.unicodeScalars.dropLast().contains { $0.disturbsText })
    let object = try JSONDocument(parsing: Array(line.utf8)).root
    #expect(object["cause"]?.string == "two\nlines \"and\" \u{1B}[2J\u{2028}")
    #expect(object["about_process"]?.string == "12")
    #expect(object["process"]?.minified == "4711")
  }

  @Test(arguments: [(LogLevel.error, 3), (.warning, 4), (.info, 6), (.debug, 7)])
  func `for the journal an event has its priority in front, and no time`(level: LogLevel, priority: Int) {
    #expect(
      event("gone", [LogField("cause", "a b")], level).line(as: .journal)
        == "<\(priority)>fetcher: gone cause=\"a b\"\n")
    #expect(event("gone", role: nil, level).line(as: .journal) == "<\(priority)>gone\n")
  }

  private func event(_ message: String, _ fields: [LogField], _ level: LogLevel) -> LogEvent {
    event(message, fields, role: "fetcher", level)
  }

  @Test func `as text an event is a worker's or a command's line`() {
    #expect(event().line(as: .text) == "2026-11-22T08:49:37.007Z warning fetcher 4711 burst not sent\n")
    #expect(event(role: nil).line(as: .text) == "halyard: warning: burst not sent\n")
  }

  @Test func `a message for people becomes one event`() throws {
    let heard = Lock<[String]>([])
    let console = Console { text in heard.withLock { $0.append(text) } }
    console.speak(as: .json, role: "decoder")
    console.show("halyard: no\ntry:   this\n", at: .error)
    console.speak(as: .text, role: "decoder")
    console.show("halyard: no\n", at: .error)
    let lines = heard.withLock { $0 }
    #expect(lines.count == 2 && lines.last?.hasSuffix(" error decoder \(processID) no\n") == true)
    let object = try JSONDocument(parsing: Array((lines.first ?? "").utf8)).root
    #expect(object["event"]?.string == "no; try:   this")
    #expect(object["level"]?.string == "error")
  }

  @Test func `the journal is recognised, unless another form is asked for`() throws {
    func format(_ words: [String], _ environment: [String: String]) throws -> LogFormat {
      guard case .run(let arguments) = try Invocation.parse(["decoder"] + words, environment: environment)
      else {
        throw UsageError(rendered: "\(words) runs nothing")
      }
      return LogPlan(arguments, standardError: "8:17").format
    }
    #expect(try format([], [:]) == .text)
    #expect(try format([], ["JOURNAL_STREAM": "8:17"]) == .journal)
    #expect(try format([], ["JOURNAL_STREAM": "8:18"]) == .text)
    #expect(try format(["--log-format", "text"], ["JOURNAL_STREAM": "8:17"]) == .text)
    #expect(try format([], ["JOURNAL_STREAM": "8:17", "HALYARD_LOG_FORMAT": "json"]) == .json)
  }

  @Test func `what is wrong with the words of a worker is written as its log is`() {
    func early(_ words: [String], _ environment: [String: String] = [:]) -> LogFormat? {
      LogFormat.early(words, environment, standardError: "8:17")
    }
    for command in ["aggregator", "fetcher", "decoder", "up", "serve"] {
      #expect(early([command, "--wrong", "--log-format", "json"]) == .json)
      #expect(early([command, "--log-format=journal"]) == .journal)
      #expect(early([command], ["JOURNAL_STREAM": "8:17"]) == .journal)
      #expect(early([command], ["HALYARD_LOG_FORMAT": "json"]) == .json)
      #expect(early([command, "--log-format", "text"], ["JOURNAL_STREAM": "8:17"]) == nil)
      #expect(early([command, "--log-format"], ["JOURNAL_STREAM": "8:18"]) == nil)
    }
    #expect(early(["up", "--", "--log-format", "json"]) == nil)
    #expect(early(["fetcher", "--until-input-ends"]) == .text, "its words are in the fleet's log")
    #expect(early(["up", "--detach", "--log-format", "json"]) == nil, "who started it reads it")
    #expect(early(["title", "--log-format", "json"]) == nil)
    #expect(early([]) == nil)
  }
}
