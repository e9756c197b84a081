import Foundation
import JSONQuery
import PipelineTesting
import Posix
import Testing

/// The service as those see it who run it.
@Suite(.timeLimit(.minutes(10)))
struct ServiceOperationTests {
  @Test func `the access log has a line for each answer, without tokens and passwords`() async throws {
    let folder = try Folder()
    let log = try folder.path("access.log")
    let service = try await ServeTests.Service("--access-log", log)
    _ = try service.ask("/v1/preview?lang=de&api_key=SECRET&url=http://user:SECRET@a.test/")
    _ = try service.ask("/v1/preview?url=http://10.0.0.1/")
    let socket = try StreamSocket.connect(port: service.port)
    try socket.write(Array("no request\r\n\r\n".utf8))
    while try !socket.read(milliseconds: 60_000).isEmpty {}
    try await service.end()
    let text = try String(contentsOfFile: log, encoding: .utf8)
    let lines = try text.split(separator: "\n").map { try JSONDocument(parsing: Array($0.utf8)).root }
    #expect(lines.map { $0["status"]?.int64 } == [400, 403, 400])
    #expect(lines.first?["query"]?.string?.hasPrefix("lang=de&url=http") == true)
    #expect(!text.contains("SECRET"))
  }

  @Test func `who waits when the service ends is told so`() async throws {
    let site = try TestSite()
    let service = try await ServeTests.Service("--allow-address", "127.0.0.1")
    let worker = try BlockingWorker(name: "client")
    async let waiting = worker.run { try service.ask("/v1/preview?url=\(site.url("/held/page"))&timeout=30") }
    await until { site.requests.count > 0 }
    service.child.terminate()
    let answer = try await waiting
    #expect(answer.status == 503 && answer.body.contains("\"kind\":\"ending\""), "\(answer)")
    #expect(try await service.child.ended().status == 0)
  }

  @Test func `who does not wait for several links is told which are being fetched`() async throws {
    let site = try TestSite()
    let service = try await ServeTests.Service("--allow-address", "127.0.0.1")
    let link = site.url("/held/page")
    let answer = try service.ask("/v1/previews?wait=0", method: "POST", body: link)
    #expect(answer.status == 200, "\(answer)")
    #expect(answer.body.contains(#"{"n":0,"link":"\#(link)","#), "\(answer)")
    #expect(answer.body.contains(#""status":202"#) && answer.body.contains(#""kind":"pending""#), "\(answer)")
    try await service.end()
  }

  @Test func `a page that says the same when it is fetched again need not be sent again`() async throws {
    let site = try TestSite()
    let service = try await ServeTests.Service("--allow-address", "127.0.0.1")
    let target = "/v1/preview?url=\(site.url("/page/kept"))"
    let first = try service.ask(target)
    let field = try #require(first.head.split(separator: "\r\n").first { $0.hasPrefix("ETag: W/\"") })
    let tag = String(field.dropFirst("ETag: ".count))
    let again = try service.ask("\(target)&refresh=1", ["If-None-Match: \(tag)"])
    #expect(again.status == 304 && again.head.contains("\r\nETag: \(tag)\r\n"), "\(again)")
    #expect(site.requests.count == 2)
    try await service.end()
  }

  @Test func `who asks is not told which options the service could have`() async throws {
    let service = try await ServeTests.Service()
    for path in ["/v1/preview?url=", "/iframely?url=", "/?links=", "/explain?url="] {
      let answer = try service.ask("\(path)http://10.0.0.1/")
      #expect(answer.body.contains("address 10.0.0.1 is refused (private)"), "\(answer)")
      #expect(!answer.body.contains("--allow-address"), "\(answer)")
    }
    try await service.end()
  }

  @Test func `a service at a Unix socket says where it is`() async throws {
    let folder = try Folder()
    let path = try folder.path("socket")
    let child = try Child(["serve", "--http", "unix:\(path)"])
    let line = "halyard: previews are served at unix:\(path) until you interrupt it\n"
    #expect(await child.messages.holds(line, silenceAtMost: 60), "\(child.messages.text)")
    child.terminate()
    #expect(try await child.ended().status == 0)
  }

  @Test func `a service without a socket of systemd ends at once`() async throws {
    let end = try await halyard("serve", "--http", "systemd")
    #expect(end.status == 69 && end.messages.contains("hands over no socket"), "\(end.messages)")
  }

  @Test func `a file of tokens is read again, and a broken one changes nothing`() async throws {
    let folder = try Folder()
    let file = try folder.path("tokens", holding: "chat 0123456789abcdef\n")
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
    let service = try await ServeTests.Service("--token-file", file)
    func status(_ token: String) throws -> Int {
      try service.ask("/v1/preview?url=http://10.0.0.1/", ["Authorization: Bearer \(token)"]).status
    }
    func write(_ text: String, until line: String) async throws {
      let handle = try #require(FileHandle(forWritingAtPath: file))
      try handle.truncate(atOffset: 0)
      try handle.write(contentsOf: Data(text.utf8))
      try handle.close()
      service.child.hangUp()
      #expect(await service.child.messages.holds(line, silenceAtMost: 60), "\(service.child.messages.text)")
    }
    #expect(try status("0123456789abcdef") == 403)
    try await write("chat short\n", until: "tokens not read again, all stays as it was")
    #expect(try status("0123456789abcdef") == 403)
    try await write("forum fedcba9876543210\n", until: "tokens read again")
    #expect(try status("0123456789abcdef") == 401)
    #expect(try status("fedcba9876543210") == 403)
    try await service.end()
  }
}
