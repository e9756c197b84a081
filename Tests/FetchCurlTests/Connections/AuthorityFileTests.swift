import FetchCurl
import Foundation
import PipelineTesting
import Testing

/// Files of authorities are tried before anything is fetched.
@Suite(.timeLimit(.minutes(10)))
struct AuthorityFileTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    let isTrusted: Bool
    /// What a good file, and the key to it, become.
    let content: @Sendable (_ certificate: String, _ key: String) -> String
    var testDescription: String { name }
  }

  @Test(arguments: [
    Row(name: "a certificate", isTrusted: true) { certificate, _ in certificate },
    Row(name: "two with words between", isTrusted: true) { certificate, _ in
      "# one\n\(certificate)# two\n\(certificate)"
    },
    Row(name: "nothing", isTrusted: false) { _, _ in "" },
    Row(name: "words", isTrusted: false) { _, _ in "certificates\n" },
    Row(name: "a key", isTrusted: false) { _, key in key },
    Row(name: "no certificate inside", isTrusted: false) { _, _ in
      "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"
    },
    Row(name: "one cut short", isTrusted: false) { certificate, _ in String(certificate.prefix(300)) },
    Row(name: "a good one and one cut short", isTrusted: false) { certificate, _ in
      certificate + certificate.prefix(300)
    },
  ])
  func `only a file that libcurl can load is one`(row: Row) throws {
    let authority = try Certificates.shared.get().authority
    let folder = try TemporaryDirectory()
    let content = row.content(try text(authority), try text("\(authority).key"))
    try Data(content.utf8).write(to: URL(fileURLWithPath: folder.file("file")))
    #expect(CurlSettings.canTrust(file: folder.file("file")) == row.isTrusted)
  }

  private func text(_ path: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
  }
}
