import Testing

@testable import HalyardCLI

struct LiveScreenTests {
  private func frame(_ lines: [String], isFirst: Bool = false, width: Int = 10, height: Int = 5) -> String {
    String(decoding: LiveScreen(width: width, height: height).frame(lines, isFirst: isFirst), as: UTF8.self)
  }

  @Test func `each line is drawn over what stood there, and the rest is cleared`() {
    #expect(frame(["one", "two"]) == "\u{1B}[Hone\u{1B}[K\ntwo\u{1B}[K\n\u{1B}[J")
  }

  @Test func `the first frame clears the screen and hides the cursor, and the end shows it`() {
    #expect(frame(["one"], isFirst: true).hasPrefix("\u{1B}[?25l\u{1B}[2J\u{1B}[Hone"))
    #expect(LiveScreen.end == Array("\u{1B}[?25h".utf8))
  }

  @Test func `what does not fit is cut, and says so`() {
    #expect(frame(["0123456789A"]).contains("012345678…\u{1B}[K"))
    let lines = (1...9).map { "line \($0)" }
    let drawn = frame(lines, width: 60)
    #expect(drawn.contains("line 3\u{1B}[K\n… 6 more lines; make the window larger\u{1B}[K\n\u{1B}[J"))
    #expect(!drawn.contains("line 4"))
    #expect(frame(Array(lines.prefix(4))).contains("line 4"))
  }
}
