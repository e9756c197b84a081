import Foundation
import Testing

/// `Deploy/check-links`, as far as it fetches nothing. `scripts/test-packages` has the rest.
@Suite(.timeLimit(.minutes(2)))
struct CheckLinksTests {
  private func checkLinks(_ arguments: String...) async throws -> Ended {
    let script = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../../Deploy/check-links")
    // The program would warn about a variable that it does not know.
    let run = "unset HALYARD_PROGRAM; PATH=$0:$PATH exec \"$@\""
    return try await Tool.bash.run(["-c", run, Child.programFolder, script.standardized.path] + arguments)
  }

  @Test func `a folder stands for the files below it`() async throws {
    let folder = try Folder()
    _ = try folder.path("a.md", holding: "https://a.test/ and <https://example.org/>")
    let ended = try await checkLinks(try folder.path(""))
    #expect(ended.status == 0)
    #expect(ended.messages.isEmpty)
  }

  @Test func `what cannot be checked is named`() async throws {
    let folder = try Folder()
    let none = try await checkLinks()
    #expect(none.status == 2)
    #expect(none.messages.hasSuffix("the following arguments are required: FILE\n"))
    let empty = try folder.path("")
    let unread = try await checkLinks(empty)
    #expect(unread.status == 65)
    #expect(unread.messages == "check-links: \(empty): no Markdown, HTML or text file below it\n")
    let missing = try await checkLinks(empty + "/b.md")
    #expect(missing.status == 65)
    #expect(missing.messages == "halyard: \(empty)/b.md: open: No such file or directory\n")
    let page = try folder.path("a.md", holding: "https://a.b/")
    for option in ["--skip=(", "--accept=x"] {
      let ended = try await checkLinks(option, page)
      #expect(ended.status == 64)
      #expect(ended.messages.hasPrefix("halyard: option "))
    }
  }

  /// A copy for each letter takes a minute.
  @Test(arguments: ["]", "!", ")", "&#99999"])
  func `a long link takes no long time`(end: String) async throws {
    let folder = try Folder()
    let link = "https://a.test/" + end + String(repeating: end.last.map(String.init) ?? "", count: 1_000_000)
    let ended = try await checkLinks(try folder.path("a.txt", holding: "\(link);\n"))
    #expect(ended.status == 0)
    #expect(ended.output.isEmpty)
  }
}
