import Foundation
import HTTPMessages
import JSONQuery
import LinkPreviews
import Pipeline
import PipelineTesting
import Testing

@testable import HalyardCLI

/// What those read who get no preview.
@Suite(.timeLimit(.minutes(1)))
struct PreviewProblemsTests {
  /// Those of the service that a request meets.
  private static let kinds = [
    "pending", "bad-request", "unauthorized", "denied-host", "content-too-large", "uri-too-long",
    "unsupported-media-type", "busy", "unavailable",
  ]

  @Test func `each kind has a page, in plain words`() throws {
    for kind in Self.kinds + FailureKind.allCases.map(\.rawValue) {
      let html = String(
        decoding: try #require(ProblemPage.html(of: kind, root: "../"), "\(kind)"), as: UTF8.self)
      #expect(!html.contains("`") && !html.contains("doc:"), "\(html)")
    }
    let late = try #require(ProblemPage.html(of: "deadline", root: "../"))
    #expect(String(decoding: late, as: UTF8.self).contains("timeout"))
    #expect(ProblemPage.html(of: "nothing", root: "../") == nil)
  }

  @Test func `a new link is not waited for while none can be fetched`() async throws {
    let answer = try await ServiceUnderTest(isHindered: true).ask("/v1/preview?url=a.test&timeout=30")
    #expect(answer.status == 503 && answer.head.contains("Retry-After: 5"), "\(answer)")
  }

  @Test func `a body of another type is answered with the header to send`() async throws {
    let form = ["Content-Type: application/x-www-form-urlencoded", "Content-Length: 6"]
    let answer = try await ServiceUnderTest().ask("/v1/previews", form, method: "POST", body: "a.test")
    #expect(answer.status == 415 && answer.body.contains("Content-Type: text/plain"), "\(answer)")
  }

  @Test(arguments: ["Application/JSON ; charset=utf-8", "application/json,x"])
  func `the type of a body is read up to its parameters`(type: String) async throws {
    let fields = ["Content-Type: \(type)", "Content-Length: 2"]
    let answer = try await ServiceUnderTest().ask("/v1/previews", fields, method: "POST", body: "[]")
    #expect(answer.status == 400 && answer.body.contains("missing_input"), "\(answer)")
  }

  @Test(arguments: [
    (400, "bad-request"), (413, "content-too-large"), (414, "uri-too-long"), (431, "bad-request"),
    (503, "busy"),
  ])
  func `what the server itself refuses has the kind of its status`(_ status: Int, _ kind: String) throws {
    let response = try ServiceUnderTest().routes.refuse(status, "why")
    #expect(try JSONDocument(parsing: response.body).root["kind"]?.string == kind)
  }

  @Test func `a page of an allowed origin can read why it is refused, and when to ask again`() async throws {
    let folder = try TemporaryDirectory()
    let tokens = folder.file("tokens")
    #expect(
      FileManager.default.createFile(
        atPath: tokens, contents: Data("chat 0123456789abcdef rate=0.1\n".utf8),
        attributes: [.posixPermissions: 0o600]))
    let service = try ServiceUnderTest(
      "--token-file", tokens, "--deny-host", "denied.test", "--allow-origin", "https://chat.example.org")
    let origin = "Origin: https://chat.example.org"
    let known = [origin, "Authorization: Bearer 0123456789abcdef"]
    let target = "/v1/preview?url=denied.test"
    let answers = [
      (401, try await service.ask(target, [origin])), (403, try await service.ask(target, known)),
      (429, try await service.ask(target, known)),
      (403, try await service.ask(target, [origin], host: "other.test")),
    ]
    for (status, answer) in answers {
      #expect(answer.status == status, "\(answer)")
      #expect(answer.head.contains("\r\nAccess-Control-Allow-Origin: https://chat.example.org\r\n"))
      #expect(answer.head.contains("\r\nAccess-Control-Expose-Headers: ETag, Retry-After, X-Request-Id\r\n"))
    }
    let other = try await service.ask(target, ["Origin: https://a.test"], host: "other.test")
    #expect(!other.head.contains("Access-Control-"), "\(other)")
  }
}
