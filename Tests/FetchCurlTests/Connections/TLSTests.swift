import FetchCurl
import Pipeline
import Testing

@Suite(.timeLimit(.minutes(10)))
struct TLSTests {
  /// A server's certificate or habits, and what comes of them.
  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    var certificate = Certificates.Kind.good
    var options: [String] = []
    let cause: String
    var testDescription: String { name }
  }

  static let rows = [
    Row(
      name: "expired", certificate: .expired,
      cause:
        "the certificate of 127.0.0.1 has expired; if this machine's clock is right, only --insecure gets past it"
    ),
    Row(
      name: "another name", certificate: .wrongName,
      cause:
        "the certificate that 127.0.0.1 shows is for another name; check the link, only --insecure gets past it"
    ),
    Row(
      name: "self-signed", certificate: .selfSigned,
      cause: "this machine does not trust the authority that signed the certificate of 127.0.0.1;"
        + " name that authority with --cacert FILE"),
    Row(
      name: "TLS 1.1", options: ["-tls1_1", "-cipher", "DEFAULT:@SECLEVEL=0"],
      cause: "127.0.0.1 speaks no TLS version from 1.2 on; nothing older is spoken here"),
    Row(
      name: "TLS 1.0", options: ["-tls1", "-cipher", "DEFAULT:@SECLEVEL=0"],
      cause: "127.0.0.1 speaks no TLS version from 1.2 on; nothing older is spoken here"),
    Row(
      name: "a cipher of its own", options: ["-tls1_2", "-cipher", "aNULL:@SECLEVEL=0"],
      cause: "127.0.0.1 and this machine have no TLS cipher in common"),
  ]

  @Test(arguments: rows) func `faulty TLS is told in plain words, and for ever`(_ row: Row) async throws {
    let server = try TLSServer(row.certificate, options: row.options)
    let answer = try await fetch(server)
    #expect(answer.failure == Failure(.tls, at: .tls, "fetch \(server.url()): \(row.cause)"))
  }

  @Test(arguments: [["-tls1_2"], ["-tls1_3"]])
  func `a server with a good certificate is talked to`(_ options: [String]) async throws {
    let response = try await fetch(try TLSServer(.good, options: options)).get()
    #expect(response.status == 200)
    #expect(response.timings.tls > 0)
    #expect(response.bodyFailure == nil)
  }

  @Test func `an authority that only others trust is refused`() async throws {
    let server = try TLSServer(.good)
    let answer = try await fetch(server) { $0.caFile = nil }
    #expect(answer.failure?.message.contains("this machine does not trust the authority") == true)
  }

  @Test(arguments: [Certificates.Kind.expired, .wrongName, .selfSigned])
  func `whoever asks for it gets past a bad certificate`(_ kind: Certificates.Kind) async throws {
    let response = try await fetch(try TLSServer(kind)) { $0.verifiesTLS = false }.get()
    #expect(response.status == 200)
  }

  @Test func `a file of authorities that is none is told`() async throws {
    let answer = try await fetch(try TLSServer(.good)) { $0.caFile = "/dev/null" }
    #expect(answer.failure?.kind == .tls)
  }

  private func fetch(
    _ server: TLSServer, _ change: (inout CurlSettings) -> Void = { _ in }
  ) async throws -> Answer {
    var settings = loopbackSettings()
    settings.caFile = try Certificates.shared.get().authority
    change(&settings)
    let fetching = CurlFetching(settings: settings)
    defer { fetching.shutdown() }
    return await fetching.fetch(
      FetchRequest(url: server.url(), body: .page(capBytes: 100_000), deadline: deadline()))
  }
}
