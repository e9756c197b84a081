import Foundation
import Pipeline
import PipelineTesting
import Roles
import Testing

@testable import HalyardCLI

struct LinkSelectionTests {
  private func taken(_ selection: LinkSelection, _ links: String?...) throws -> [String?] {
    var selection = selection
    return try links.filter { try selection.takes(JobDraft(kind: .title, input: $0)) }
  }

  @Test func `a link needs one expression that includes it, and none that excludes it`() throws {
    let links = ["http://a.test/x", "http://b.test/x", "http://b.test/y"]
    func chosen(_ include: [String], _ exclude: [String]) throws -> [String] {
      var selection = try LinkSelection(include: include, exclude: exclude)
      return try links.filter { try selection.takes(JobDraft(kind: .title, input: $0)) }
    }
    #expect(try chosen([], []) == links)
    #expect(try chosen(["a[.]test", "/y$"], []) == [links[0], links[2]])
    #expect(try chosen([], ["^http://b"]) == [links[0]])
    #expect(try chosen(["b[.]test"], ["/x"]) == [links[2]])
  }

  @Test func `duplicates are the same question, however the link is written`() throws {
    var selection = try LinkSelection(leavesOutDuplicates: true)
    #expect(try selection.takes(JobDraft(kind: .title, input: "example.org")))
    #expect(try !selection.takes(JobDraft(kind: .title, input: "HTTP://Example.org:80/")))
    #expect(try selection.takes(JobDraft(kind: .unfurl, input: "http://example.org/")))
    #expect(try selection.takes(JobDraft(kind: .decode, input: "http://example.org/", select: "/a")))
    #expect(try selection.takes(JobDraft(kind: .decode, input: "http://example.org/", select: "/b")))
    #expect(selection.leftOut == LinkSelection.LeftOut(duplicates: 1))
  }

  @Test func `a line that is no link keeps its row`() throws {
    let refusal = Failure(.invalidInput, at: .input, "line 1 is not UTF-8")
    let selection = try LinkSelection(include: ["a"], leavesOutDuplicates: true)
    #expect(try taken(selection, nil, nil, "b") == [nil, nil])
    var other = selection
    #expect(try other.takes(JobDraft(kind: .title, input: "b", refusal: refusal)))
  }

  @Test func `a file of expressions may have line ends of Windows`() throws {
    let directory = try TemporaryDirectory()
    let file = directory.file("ignored")
    try Data("b\r\n# x\r\n\r\n  c  \r\n".utf8).write(to: URL(filePath: file))
    let selection = try LinkSelection(try parsed("title x.test --exclude-file \(file)"))
    #expect(try taken(selection, "a", "b", "c", "x") == ["a", "x"])
  }

  @Test func `a list that is longer than a mebibyte is refused, and not cut`() throws {
    let directory = try TemporaryDirectory()
    let file = directory.file("long")
    try Data(repeating: UInt8(ascii: "#"), count: 1 << 20).write(to: URL(filePath: file))
    #expect(throws: Never.self) { try LinkSelection(try parsed("title x.test --exclude-file \(file)")) }
    try Data(repeating: UInt8(ascii: "#"), count: 1 << 20 + 1).write(to: URL(filePath: file))
    let error = #expect(throws: UsageError.self) {
      try LinkSelection(try parsed("title x.test --exclude-file \(file)"))
    }
    #expect(
      error?.rendered.contains("'\(file)': it is longer than 1MiB\n") == true, "\(error?.rendered ?? "")")
  }

  @Test(arguments: [
    ("--exclude a(", "option '--exclude': 'a(' is not a regular expression (RFC 9485)"),
    ("--include (a{99}){999}", "option '--include': '(a{99}){999}' is too large a regular expression"),
    ("--exclude-file /nowhere/at-all", "option '--exclude-file': '/nowhere/at-all': "),
  ])
  func `what is no expression is refused`(options: String, problem: String) throws {
    let error = #expect(throws: UsageError.self) {
      try LinkSelection(try parsed("title x.test \(options)"))
    }
    #expect(error?.rendered.contains(problem) == true, "\(error?.rendered ?? "")")
  }

  @Test func `other expressions make another run`() throws {
    let directory = try TemporaryDirectory()
    let file = directory.file("ignored")
    try Data("/page".utf8).write(to: URL(filePath: file))
    let lines = ["", "--include a", "--exclude a", "--exclude-file \(file)", "--dedupe"]
    let names = try lines.map { line in
      let arguments = try parsed("title --input a.csv \(line)")
      return try DurableRun.name(
        arguments, InputPlan(arguments, standardInputIsTerminal: false), LinkSelection(arguments))
    }
    #expect(Set(names).count == lines.count)
  }

  private func parsed(_ line: String) throws -> ParsedArguments {
    let words = line.split(separator: " ").map(String.init)
    guard case .run(let arguments) = try Invocation.parse(words, environment: [:]) else {
      throw UsageError("no command", command: CommandTable.title)
    }
    return arguments
  }
}
