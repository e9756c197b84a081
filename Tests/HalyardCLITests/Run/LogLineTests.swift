import Pipeline
import Testing

@testable import HalyardCLI

struct LogLineTests {
  private func line(_ message: String, _ fields: [LogField] = []) -> String {
    var event = LogEvent(.warning, message, fields, role: "fetcher")
    (event.process, event.unixMilliseconds) = (4_711, 1_795_337_377_007)
    return event.line(as: .text)
  }

  @Test func `a worker's line has time, level, role and process before the event`() {
    #expect(
      line("burst not sent", [LogField("messages", 3), LogField("cause", "a lane is closed")])
        == "2026-11-22T08:49:37.007Z warning fetcher 4711 burst not sent messages=3 cause=\"a lane is closed\"\n"
    )
  }

  @Test(arguments: [
    ("plain", "plain"), ("", "\"\""), ("a=b", "\"a=b\""), ("say \"x\"", "\"say \\\"x\\\"\""),
    ("c:\\d", "\"c:\\\\d\""),
    ("two\nlines", "two\u{FFFD}lines"), ("\u{1B}[2J", "\u{FFFD}[2J"),
    ("\u{9B}2J\u{202E}", "\u{FFFD}2J\u{FFFD}"),
  ])
  func `a value is one word or quoted, and does nothing to a terminal`(value: String, shown: String) {
    #expect(line("x", [LogField("in milliseconds", value)]).hasSuffix(" x in_milliseconds=\(shown)\n"))
  }

  @Test func `a command's warning is for its user`() {
    let fields = [LogField("messages", 3), LogField("cause", "x\n")]
    #expect(
      LogEvent(.warning, "burst not sent", fields, role: nil).line(as: .text)
        == "halyard: warning: burst not sent (messages 3, cause x\u{FFFD})\n")
    #expect(LogEvent(.error, "gone", role: nil).line(as: .text) == "halyard: error: gone\n")
  }
}
