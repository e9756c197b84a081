import FetchCurl
import Pipeline
import PipelineTesting
import Testing

@testable import FetchCurl

@Suite(.timeLimit(.minutes(10)))
struct EncodingTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    let codings: [String]
    let body: [UInt8]
    var testDescription: String { name }
  }

  static let rows = [
    Row(name: "gzip", codings: ["gzip"], body: EncodedBodies.gzip),
    Row(name: "gzip by its old name", codings: ["x-gzip"], body: EncodedBodies.gzip),
    Row(name: "gzip in capitals", codings: ["GZIP"], body: EncodedBodies.gzip),
    Row(name: "deflate with a zlib header", codings: ["deflate"], body: EncodedBodies.zlib),
    Row(name: "deflate without a header", codings: ["deflate"], body: EncodedBodies.rawDeflate),
    Row(name: "br", codings: ["br"], body: EncodedBodies.brotli),
    Row(name: "zstd", codings: ["zstd"], body: EncodedBodies.zstandard),
    Row(name: "br, then gzip", codings: ["br, gzip"], body: EncodedBodies.gzipOfBrotli),
    Row(name: "two in two headers", codings: ["br", "gzip"], body: EncodedBodies.gzipOfBrotli),
    Row(name: "identity", codings: ["identity"], body: [UInt8](EncodedBodies.text.utf8)),
    Row(name: "an empty name", codings: [""], body: [UInt8](EncodedBodies.text.utf8)),
    Row(name: "gzip that is plain", codings: ["gzip"], body: [UInt8](EncodedBodies.text.utf8)),
    Row(name: "deflate that is plain", codings: ["deflate"], body: [UInt8](EncodedBodies.text.utf8)),
    Row(name: "br that is plain", codings: ["br"], body: [UInt8](EncodedBodies.text.utf8)),
    Row(name: "zstd that is plain", codings: ["zstd"], body: [UInt8](EncodedBodies.text.utf8)),
    Row(name: "a coding that is none", codings: ["utf-8"], body: [UInt8](EncodedBodies.text.utf8)),
  ]

  /// Compressed twice, and the header says once.
  private static func twice(_ type: String?) -> String.UTF8View {
    let type = type.map { "Content-Type: \($0)\r\n" } ?? ""
    return "HTTP/1.1 200 OK\r\n\(type)Content-Encoding: gzip\r\n\r\n".utf8
  }

  @Test(arguments: ["text/html", "text/html; charset=utf-8", "application/json", "application/rss+xml"])
  func `text that is compressed once more than its header says is a failure`(_ type: String) async throws {
    let reply = [UInt8](Self.twice(type)) + EncodedBodies.gzipOfGzip
    for wish in [BodyPolicy.page(capBytes: 1_000), .whole(capBytes: 1_000)] {
      let response = try await exchange(wish, with: replying(reply)).get()
      #expect(response.bodyFailure?.kind == .protocolError)
      #expect(
        response.bodyFailure?.message.hasSuffix(
          ": the body is compressed once more than its Content-Encoding says")
          == true)
      #expect(response.body.isEmpty)
    }
  }

  @Test(arguments: ["application/gzip", "application/octet-stream", nil])
  func `a compressed file that is compressed for its way is a file`(_ type: String?) async throws {
    let reply = [UInt8](Self.twice(type)) + EncodedBodies.gzipOfGzip
    let response = try await exchange(.page(capBytes: 1_000), with: replying(reply)).get()
    #expect(response.bodyFailure == nil)
    #expect(response.body == EncodedBodies.gzip)
  }

  @Test(arguments: rows, [BodyPolicy.page(capBytes: 1_000), .whole(capBytes: 1_000)])
  func `a body arrives decoded`(_ row: Row, _ wish: BodyPolicy) async throws {
    let response = try await exchange(wish, with: replying(row.reply)).get()
    #expect(response.bodyFailure == nil)
    #expect(text(response) == EncodedBodies.text)
    #expect(!response.truncated)
  }

  @Test(arguments: [
    Row(name: "gzip", codings: ["gzip"], body: EncodedBodies.gzip),
    Row(name: "zlib", codings: ["deflate"], body: EncodedBodies.zlib),
    Row(name: "raw", codings: ["deflate"], body: EncodedBodies.rawDeflate),
  ])
  func `a body cut in its coding is a page with what it gave, and no data`(_ row: Row) async throws {
    let cut = Row(name: row.name, codings: row.codings, body: Array(row.body.prefix(row.body.count - 10)))
    let page = try await exchange(.page(capBytes: 1_000), with: replying(cut.reply)).get()
    #expect(page.bodyFailure == nil)
    #expect(text(page).hasPrefix("hello, "))
    #expect(page.truncated)
    let data = try await exchange(.whole(capBytes: 1_000), with: replying(cut.reply)).get()
    #expect(data.bodyFailure?.kind == .protocolError)
    #expect(
      data.bodyFailure?.message.hasSuffix(": the body ended in the middle of its content encoding") == true)
    #expect(data.bodyFailure?.retryable == true)
  }

  @Test(arguments: ["gzip", "deflate", "br", "zstd"], [#"{"a": 1}"#, "<p>", "h", ""])
  func `text that only claims to be encoded is taken as it is, at once`(_ coding: String, _ body: String)
    async throws
  {
    let server = RawServer(replying(Row(name: "", codings: [coding], body: Array(body.utf8)).reply))
    let fetching = CurlFetching(settings: loopbackSettings())
    defer {
      fetching.shutdown()
      server.stop()
    }
    let request = FetchRequest(url: server.url, body: .whole(capBytes: 1_000), deadline: deadline())
    let response = try await fetching.fetch(request).get()
    #expect(text(response) == body)
    #expect(response.bodyFailure == nil)
    #expect(!response.truncated)
    #expect(server.connectionCount == 1)
  }

  @Test(arguments: [";", "3", "5", "7", "9", "=", "?"])
  func `a letter that is a whole stream of nothing is no text`(_ body: String) async throws {
    let row = Row(name: "", codings: ["br"], body: Array(body.utf8))
    for wish in [BodyPolicy.whole(capBytes: 1_000), .page(capBytes: 1_000)] {
      let response = try await exchange(wish, with: replying(row.reply)).get()
      #expect(response.body.isEmpty)
      #expect(response.bodyFailure == nil)
      #expect(!response.truncated)
    }
    let longer = Row(name: "", codings: ["br"], body: Array("\(body) apples".utf8))
    let response = try await exchange(.whole(capBytes: 1_000), with: replying(longer.reply)).get()
    #expect(text(response) == "\(body) apples")
  }

  @Test(arguments: [
    Row(name: "gzip", codings: ["gzip"], body: Array(EncodedBodies.gzip.prefix(10))),
    Row(name: "br", codings: ["br"], body: Array(EncodedBodies.brotli.prefix(3))),
    Row(name: "zstd", codings: ["zstd"], body: Array(EncodedBodies.zstandard.prefix(9))),
  ])
  func `a body cut before anything came of it may be asked for again`(_ row: Row) async throws {
    let page = try await exchange(.page(capBytes: 1_000), with: replying(row.reply)).get()
    #expect(page.body.isEmpty && page.truncated && page.bodyFailure == nil)
    let data = try await exchange(.whole(capBytes: 1_000), with: replying(row.reply)).get()
    #expect(data.bodyFailure?.retryable == true)
  }

  @Test(arguments: ["gzip", "deflate", "br", "zstd"])
  func `bytes that are neither encoded as said nor text are refused`(_ coding: String) async throws {
    let row = Row(name: coding, codings: [coding], body: [0xFF, 0x01, 0x02, 0xFE] + .init(0...255))
    let response = try await exchange(.page(capBytes: 1_000), with: replying(row.reply)).get()
    #expect(response.status == 200)
    #expect(response.bodyFailure?.kind == .protocolError)
    #expect(response.bodyFailure?.message.hasSuffix(": the body's content encoding is broken") == true)
  }

  @Test(arguments: [["gzip, gzip, gzip"], ["gzip", "br", "br"]])
  func `three codings in a row are too many`(_ codings: [String]) async throws {
    let row = Row(name: "three", codings: codings, body: EncodedBodies.gzip)
    let response = try await exchange(.page(capBytes: 1_000), with: replying(row.reply)).get()
    #expect(response.status == 200)
    #expect(
      response.bodyFailure?.message.hasSuffix(
        ": the body is encoded 3 times over; twice is the most that is undone") == true)
  }

  @Test(arguments: [3, 6])
  func `a body that nobody wants may be encoded as often as it likes`(_ count: Int) async throws {
    let codings = Array(repeating: "gzip", count: count)
    let row = Row(name: "many", codings: codings, body: EncodedBodies.gzip)
    let response = try await exchange(.nothing, with: replying(row.reply)).get()
    #expect(response.status == 200)
    #expect(response.bodyFailure == nil)
    let start = try await exchange(.startOfPage(capBytes: 1_000), with: replying(row.reply)).get()
    #expect(start.status == 200)
    #expect(start.bodyFailure == nil)
    let data = try await exchange(.whole(capBytes: 1_000), with: replying(row.reply)).get()
    #expect(data.bodyFailure?.message.contains("encoded \(count) times over") == true)
  }

  @Test func `more codings of the transfer than libcurl takes are refused in clear words`() async {
    let codings = Array(repeating: "gzip", count: 6).joined(separator: ", ")
    let reply = "HTTP/1.1 200 OK\r\nTransfer-Encoding: \(codings), chunked\r\n\r\n0\r\n\r\n"
    let failure = await exchange(.page(capBytes: 1_000), with: replying(reply)).failure
    #expect(failure?.kind == .protocolError)
    #expect(failure?.message.hasSuffix(": the body goes through more codings than are undone") == true)
  }

  @Test(arguments: [
    Row(name: "gzip", codings: ["gzip"], body: EncodedBodies.gzipBomb(mebibytes: 500)),
    Row(name: "br", codings: ["br"], body: EncodedBodies.brotliBomb),
    Row(name: "zstd", codings: ["zstd"], body: EncodedBodies.zstandardBomb(mebibytes: 500)),
  ])
  func `a bomb goes no further than the cap`(_ bomb: Row) async throws {
    let page = try await exchange(.page(capBytes: 1 << 20), with: replying(bomb.reply)).get()
    #expect(page.body.count == 1 << 20)
    #expect(page.truncated)
    #expect(page.bodyFailure == nil)
    let data = try await exchange(.whole(capBytes: 1 << 20), with: replying(bomb.reply)).get()
    #expect(data.bodyFailure?.kind == .bodyTooLarge)
    #expect(data.body.count <= 1 << 20)
  }

  @Test(arguments: [
    Row(
      name: "gzip, zstd", codings: ["gzip, zstd"], body: EncodedBodies.endlessGzipHeader(mebibytes: 500)),
    Row(name: "zstd, br", codings: ["zstd, br"], body: EncodedBodies.brotliBombToSkip),
  ])
  func `a bomb between two codings goes no further than a body may on the wire`(_ bomb: Row) async throws {
    for wish in [BodyPolicy.page(capBytes: 1 << 20), .whole(capBytes: 1 << 20)] {
      let response = try await exchange(wish, with: replying(bomb.reply)).get()
      #expect(response.body.isEmpty)
      #expect(response.bodyFailure?.kind == .bodyTooLarge)
      #expect(
        response.bodyFailure?.message.hasSuffix(
          ": between its content encodings the body is larger than 8388608 bytes") == true)
    }
  }

  @Test func `a window of more than 8 MiB is refused in clear words`() async throws {
    let body = EncodedBodies.zstandardBomb(mebibytes: 20, windowBits: 24)
    let row = Row(name: "zstd", codings: ["zstd"], body: body)
    let failure = await exchange(with: replying(row.reply)).failure
    #expect(failure?.kind == .protocolError)
    #expect(
      failure?.message.hasSuffix(": the body's content encoding wants a window of more than 8 MiB") == true)
  }

  /// Raw deflated data that holds these bytes as they are.
  private static func stored(_ bytes: [UInt8]) -> [UInt8] {
    let count = UInt8(bytes.count)
    return [1, count, 0, ~count, 255] + bytes
  }

  private static let lzw: [UInt8] = [0x1F, 0x9D, 0x90, 0x68, 0xCA, 0xB0, 0x61, 0x03]

  @Test(
    arguments: [
      (["compress"], lzw, false), (["compress, deflate"], stored(lzw), false),
      (["utf-8"], Array("%PDF-1.7\n\0".utf8), true),
      (["none"], [0x89] + Array("PNG\r\n\u{1A}\n\0".utf8), true),
      (["aws-chunked"], [0xFF, 0xD8, 0xFF, 0xE0, 0], true),
      (["none"], Array("RIFF\0\0\0\0WEBPVP8 ".utf8), true),
      (["none, deflate"], stored(Array("PK\u{3}\u{4}\0".utf8)), true),
      (["none"], Array("RIFF\0".utf8), false),
    ] as [([String], [UInt8], Bool)])
  func `bytes behind a coding that nobody knows are of use as text and as files`(
    _ codings: [String], _ body: [UInt8], _ isOfUse: Bool
  ) async throws {
    let row = Row(name: "", codings: codings, body: body)
    let response = try await exchange(.whole(capBytes: 1_000), with: replying(row.reply)).get()
    #expect((response.bodyFailure == nil) == isOfUse)
  }

  @Test(
    arguments: [
      ("gzip", [.gzip], 0), ("", [], 0), ("identity", [], 0), ("chunked", [], 0),
      ("br, deflate", [.brotli, .deflate], 0),
      (" , gzip ,,ZSTD", [.gzip, .zstandard], 0), (",", [], 0), ("utf-8, x-gzip", [.gzip], 1),
    ] as [(String, [ContentCoding], Int)])
  func `a list of codings is read`(_ text: String, _ known: [ContentCoding], _ unknown: Int) {
    var list = CodingList()
    list.add([UInt8](text.utf8).span)
    #expect(list.known == known)
    #expect(list.unknown == unknown)
  }

  @Test(arguments: [
    ("", true), ("text\r\n\t\u{1B}", true), ("é\u{7F}", true), ("a\0", false), ("\u{1F}", false),
  ])
  func `text is told from encoded bytes`(_ bytes: String, _ isText: Bool) {
    #expect(PlainText.fits([UInt8](bytes.utf8)) == isText)
  }
}

extension EncodingTests.Row {
  /// A complete response.
  var reply: [UInt8] {
    let lines = codings.map { "Content-Encoding: \($0)\r\n" }.joined()
    return [UInt8]("HTTP/1.1 200 OK\r\n\(lines)Content-Length: \(body.count)\r\n\r\n".utf8) + body
  }
}
