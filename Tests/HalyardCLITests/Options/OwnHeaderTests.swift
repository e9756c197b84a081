import Foundation
import Pipeline
import Testing

@testable import HalyardCLI

/// Headers and cookies as users write them.
@Suite struct OwnHeaderTests {
  @Test(arguments: [
    ("X-Key: 1", "X-Key", "1"), ("X-Key:1", "X-Key", "1"), ("X-Key:  a b  ", "X-Key", "a b"),
    ("X-Empty:", "X-Empty", ""), ("Authorization: Bearer a:b=", "Authorization", "Bearer a:b="),
    ("Referer: https://a.test/?ü", "Referer", "https://a.test/?ü"), ("X-Tab: a\tb", "X-Tab", "a\tb"),
  ])
  func `a header is a name and a value`(text: String, name: String, value: String) throws {
    #expect(try OwnHeaderText.header(text) == HeaderField(name, value))
  }

  @Test(arguments: [
    "", "X-Key", ": 1", "X Key: 1", "X-Key : 1", "Schlüssel: 1", "A: b\r\nC: d", "A: b\nC: d", "A: b\rC",
    "A: \0",
    "A\0: b", "A: \u{7F}", "Host: b.test", "content-length: 5", "Transfer-Encoding: chunked", "TE: trailers",
    "Connection: close", "Expect: 100-continue", "Accept-Encoding: br",
  ])
  func `what is none, or would break the exchange, is refused`(text: String) {
    #expect(throws: ValueProblem.self) { try OwnHeaderText.header(text) }
  }

  @Test(arguments: ["a=b", "a=", "a=b=c", "a=\"b c\""])
  func `a cookie is a name and a value`(text: String) {
    #expect(throws: Never.self) { try OwnHeaderText.cookie(text) }
  }

  @Test(arguments: ["", "a", "=b", "a b=c", "a=b; c=d", "a=b;", "a=b\r\nC: d", "a=\0"])
  func `what is no single cookie is refused`(text: String) {
    #expect(throws: ValueProblem.self) { try OwnHeaderText.cookie(text) }
  }

  @Test func `a file and a variable keep headers out of the list of processes`() throws {
    let folder = URL(fileURLWithPath: NSTemporaryDirectory()).appending(path: "headers-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "headers")
    try Data("# secret\nAuthorization: Bearer a, b\n\n X-A: 1 \n".utf8).write(to: file)
    func headers(_ words: [String], _ environment: [String: String] = [:]) throws -> [HeaderField] {
      guard
        case .run(let arguments) = try Invocation.parse(
          ["title", "a.test"] + words, environment: environment)
      else { return [] }
      return try OwnHeaderText.headers(arguments)
    }
    let both = [HeaderField("Authorization", "Bearer a, b"), HeaderField("X-A", "1")]
    #expect(try headers(["--header", "@\(file.path)"]) == both)
    #expect(try headers([], ["HALYARD_HEADER": "Authorization: Bearer a, b\nX-A: 1\n"]) == both)
    #expect(try headers([], ["HALYARD_COOKIE": "a=1 2\nb=2"]) == [HeaderField("Cookie", "a=1 2; b=2")])
    #expect(throws: UsageError.self) { try headers(["--header", "@\(folder.path)/none"]) }
  }

  @Test func `a language is a job's own, from the command line or a variable`() throws {
    func language(_ words: [String], _ environment: [String: String] = [:]) throws -> String? {
      guard case .run(let arguments) = try Invocation.parse(words, environment: environment) else {
        return nil
      }
      return LinkOption.reading(arguments).language
    }
    for command in ["unfurl", "title", "decode", "submit"] {
      #expect(try language([command, "--language", "pt-BR, pt;q=0.8", "a.test"]) == "pt-BR, pt;q=0.8")
      #expect(try language([command, "a.test"], ["HALYARD_LANGUAGE": "de"]) == "de")
      #expect(try language([command, "a.test"]) == nil)
    }
    #expect(throws: UsageError.self) { try language(["title", "--language", "de_DE", "a.test"]) }
  }

  @Test func `cookies go in one header, behind the others`() throws {
    let words = [
      "unfurl", "--cookie", "a=1", "--header", "X-A: 1", "--cookie=b=2", "--method", "head", "a.test",
    ]
    guard case .run(let arguments) = try Invocation.parse(words, environment: [:]) else { return }
    #expect(
      try OwnHeaderText.headers(arguments) == [HeaderField("X-A", "1"), HeaderField("Cookie", "a=1; b=2")])
    #expect(arguments[RequestOption.method] == .head)
  }
}
