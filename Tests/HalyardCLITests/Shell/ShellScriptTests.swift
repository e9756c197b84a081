import Testing

@testable import HalyardCLI

@Suite struct ShellScriptTests {
  private func offers(_ line: String...) -> Offers { Offers(behind: line) }

  @Test func `every command and every option is offered`() {
    let first = offers("").words.map(\.text)
    #expect(first == CommandTable.commands.map(\.name) + ["--help", "--version"])
    for command in CommandTable.commands {
      let found = Set(offers(command.name, "-").words.map(\.text))
      #expect(found == Set(command.options.flatMap { [$0.flag] + ($0.negation.map { [$0] } ?? []) }))
    }
  }

  @Test func `what an option is about is one clause of a line`() {
    for word in CommandTable.commands.flatMap({ offers($0.name, "-").words }) {
      #expect(!word.about.isEmpty && word.about.count <= 77, "\(word)")
      #expect(!word.about.hasSuffix(";") && !word.about.hasSuffix("."), "\(word)")
    }
  }

  @Test func `a value is offered behind its option, also as bash splits it`() {
    let formats = offers("title", "--format", "").words.map(\.text)
    #expect(formats.contains("csv") && !formats.contains("--format"))
    for line in [["title", "--format=c"], ["title", "--format", "="], ["title", "--format", "=", "c"]] {
      #expect(Offers(behind: line).words.map(\.text) == formats, "\(line)")
    }
    #expect(offers("title", "-o", "").paths == .files)
    #expect(offers("up", "--run-dir", "").paths == .directories)
    #expect(offers("title", "--column", "") == offers("nothing", ""))
    #expect(offers("title", "--", "--format", "").words.isEmpty)
  }

  @Test func `options tell what there is where nothing else is known`() {
    #expect(offers("title", "").words == offers("title", "-").words)
    #expect(offers("completions", "").words.map(\.text) == ["bash", "zsh", "fish"])
    #expect(offers("title", "--", "").words.isEmpty)
  }

  @Test(arguments: [
    ("a-b", #"a\-b"#), (#"\n"#, #"\(rsn"#), ("'x' `y`", #"\(aqx\(aq \(gay\(ga"#), ("a…", #"a\[u2026]"#),
    ("~^\"", #"\(ti\(ha\(dq"#), ("🚢", #"\[u1F6A2]"#), ("a\nb", "a b"),
  ])
  func `roff takes text for text`(text: String, roff: String) {
    #expect(Roff.text(text) == roff)
  }

  @Test func `a dot in front is no request`() {
    var page = ManPage("x", section: 1, summary: "s", date: nil)
    page.paragraph(Roff.text(".so /etc/passwd"))
    page.example(["'x", ".x", ""])
    let body = page.rendered.split(separator: "\n", omittingEmptySubsequences: false).dropFirst(3)
    #expect(
      body.map(String.init) == [
        ".PP", #"\&.so /etc/passwd"#, ".PP", ".RS 4", ".nf", #"\(aqx"#, #"\&.x"#, #"\&"#, ".fi", ".RE", "",
      ])
  }

  @Test func `marks of Markdown are bold`() {
    #expect(Roff.marked("a `b-c` **d** e") == #"a \fBb\-c\fR \fBd\fR e"#)
  }

  @Test func `every page has the usual sections`() {
    for page in ManPages(CommandTable.commands, date: nil).all where page.section == 1 {
      for heading in ["NAME", "SYNOPSIS", "DESCRIPTION", "EXIT STATUS", "ENVIRONMENT", "FILES", "SEE ALSO"] {
        #expect(page.rendered.contains("\n.SH \(heading)\n"), "\(page.fileName): \(heading)")
      }
      #expect(page.rendered.utf8.allSatisfy { $0 == 0x0A || (0x20...0x7E).contains($0) })
    }
  }
}
