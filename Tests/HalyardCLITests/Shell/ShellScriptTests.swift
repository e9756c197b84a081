import Testing

@testable import HalyardCLI

@Suite struct ShellScriptTests {
  @Test(arguments: Shell.allCases)
  func `a script has every command and every option`(shell: Shell) {
    let script = shell.completions(of: CommandTable.commands)
    for command in CommandTable.commands {
      #expect(script.contains(command.name))
      for option in command.options {
        #expect(script.contains(shell == .fish ? "-l \(option.name) " : option.flag))
        if let negation = option.negation {
          #expect(script.contains(shell == .fish ? "-l \(negation.dropFirst(2)) " : negation))
        }
      }
    }
  }

  @Test(arguments: CommandTable.commands.flatMap(\.options).map(\.name))
  func `an option's brief text is one clause of a line`(name: String) {
    for option in CommandTable.commands.flatMap(\.options) where option.name == name {
      #expect(!option.brief.isEmpty)
      #expect(option.brief.count <= 77)
      #expect(!option.brief.hasSuffix(";") && !option.brief.hasSuffix("."))
    }
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
