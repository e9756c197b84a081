import Testing

@testable import HalyardCLI

@Suite struct TableTests {
  private func screen(_ width: Int, colour: Bool = false) -> TerminalTraits {
    TerminalTraits(isTerminal: true, width: width, environment: colour ? [:] : ["NO_COLOR": "1"])
  }

  @Test func `a table fits the terminal's width`() throws {
    let text = try output(["title"], [Rows.page, Rows.failure], terminal: screen(80))
    #expect(
      text == """
        RESULT           INPUT                URL                  TITLE
        ok 200           http://sho.rt/x      example.org/post     Tea, "hot"
        http_status 404  https://gone.test/   404

        """)
  }

  @Test func `why a row failed stands in it where there is room, else whole on a line of its own`() throws {
    func row(_ message: String, _ more: String = "") -> String {
      #"{"input":"x","status":"failed"\#(more),"error":{"kind":"data_parsing_failed","message":"\#(message)"}}"#
    }
    let long = "decode https://a.test/: expected a value at byte 40 (line 3, column 21)\\u001b"
    let text = try output(
      ["decode"], [row("short"), row(long), row("short", #","url":"https://a.test/""#)], terminal: screen(60))
    let lines = text.split(separator: "\n")
    #expect(lines.count == 6)
    #expect(lines[1].hasSuffix(" short"))
    #expect(lines[3] == "  decode https://a.test/: expected a value at byte 40 (line 3, column 21)�")
    #expect(lines[5] == "  short")
  }

  @Test func `chosen fields and kept columns are columns of the table`() throws {
    let text = try output(
      ["title", "--fields", "kind,status,kept.id", "--keep", "id"], [Rows.page, Rows.failure],
      terminal: screen(60))
    #expect(
      text == """
        KIND    STATUS     KEPT.ID
        title   ok         7
        title   failed     8

        """)
  }

  @Test func `only the status has a colour`() throws {
    let text = try output(
      ["unfurl", "--fields", "status,kind"], [Rows.page, Rows.failure], terminal: screen(60, colour: true))
    #expect(
      text == """
        STATUS     KIND
        \u{1B}[32mok       \u{1B}[0m  title
        \u{1B}[31mfailed   \u{1B}[0m  title

        """)
  }

  @Test func `text from the web cannot move the cursor`() throws {
    let row = #"{"status":"ok","title":"a\u001b[2J\nb\u202ec\u0000"}"#
    let text = try output(["title", "--fields", "title,status", "--format", "table"], [row])
    #expect(text.split(separator: "\n").last?.hasPrefix("a�[2J�b�c� ") == true)
  }

  static let widths: [(text: String, width: Int)] = [
    ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("日本語", 6), ("ｱ", 1), ("Ａ", 2), ("한국", 4), ("👍", 2),
    ("👨‍👩‍👧", 2),
    ("❤️", 2), ("❤", 1), ("🇩🇪", 2), ("a\u{200B}b", 2), ("…", 1), ("Ж", 1), ("אב", 2), ("𠮷", 2),
  ]

  @Test(arguments: widths)
  func `a character takes no, one or two columns`(row: (text: String, width: Int)) {
    #expect(DisplayWidth.of(row.text) == row.width)
  }

  static let fits: [(text: String, width: Int, fitted: String)] = [
    ("abc", 5, "abc  "), ("abc", 3, "abc"), ("abcd", 3, "ab…"), ("日本語", 6, "日本語"), ("日本語", 5, "日本…"),
    ("日本語", 4, "日… "), ("ab", 1, "…"), ("ab", 0, ""), ("👨‍👩‍👧👨‍👩‍👧", 3, "👨‍👩‍👧…"),
  ]

  @Test(arguments: fits)
  func `text is cut or filled to its width`(row: (text: String, width: Int, fitted: String)) {
    #expect(DisplayWidth.fit(row.text, to: row.width) == row.fitted)
  }

  @Test(arguments: 20...200)
  func `widths add up to the terminal's, as long as columns keep eight`(width: Int) {
    let columns = ["status", "url", "title", "card.description"].map {
      TableColumn(RowColumn(heading: $0, field: RowField($0)))
    }
    let widths = TableEncoder.widths(of: columns, in: width)
    let total = widths.reduce(0, +) + 6
    #expect(total == width || (total > width && widths.dropFirst() == [8, 8, 8]))
  }

  @Test(arguments: [
    ("a.test/x", 10, "a.test/x  "), ("a.test/long/path/end", 11, "a.tes…h/end"), ("日本語日本語", 7, ""),
    ("abc", 2, "a…"),
  ])
  func `a link is cut in its middle`(text: String, width: Int, shown: String) {
    let cut = DisplayWidth.fitMiddle(text, to: width)
    #expect(DisplayWidth.of(cut) == width)
    if !text.hasPrefix("日") { #expect(cut == shown) }
  }
}
