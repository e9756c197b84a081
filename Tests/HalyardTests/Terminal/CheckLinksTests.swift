import Foundation
import Testing

/// `Deploy/check-links`, as far as it asks nothing of the program. `scripts/test-packages` has the rest.
@Suite(.timeLimit(.minutes(2)))
struct CheckLinksTests {
  private func checkLinks(_ arguments: String...) async throws -> Ended {
    let script = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../../Deploy/check-links")
    return try await Tool.python3.run([script.standardized.path] + arguments)
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
    #expect(missing.messages == "check-links: \(empty)/b.md: No such file or directory\n")
    for option in ["--skip=(", "--accept=x"] {
      let ended = try await checkLinks(option, empty)
      #expect(ended.status == 2)
      #expect(!ended.messages.contains("Traceback"))
    }
  }

  /// Python refuses numbers of more than 4,300 digits, and a copy for each letter takes a minute.
  @Test(arguments: ["]", "!", ")", "&#99999"])
  func `a long link takes no long time`(end: String) async throws {
    let folder = try Folder()
    let link = "https://a.test/" + end + String(repeating: end.last.map(String.init) ?? "", count: 1_000_000)
    let ended = try await checkLinks(try folder.path("a.txt", holding: "\(link);\n"))
    #expect(ended.status == 0)
    #expect(ended.messages.isEmpty)
  }
}
