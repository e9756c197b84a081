import PipelineTesting
import Testing

@testable import FetchCurl

/// Codings undone piece by piece, without a server.
struct CodingChainTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    let codings: [ContentCoding]
    let body: [UInt8]
    var testDescription: String { name }
  }

  static let rows = [
    Row(name: "gzip", codings: [.gzip], body: EncodedBodies.gzip),
    Row(name: "zlib", codings: [.deflate], body: EncodedBodies.zlib),
    Row(name: "raw deflate", codings: [.deflate], body: EncodedBodies.rawDeflate),
    Row(name: "br", codings: [.brotli], body: EncodedBodies.brotli),
    Row(name: "zstd", codings: [.zstandard], body: EncodedBodies.zstandard),
    Row(name: "gzip of br", codings: [.brotli, .gzip], body: EncodedBodies.gzipOfBrotli),
  ]

  @Test(arguments: rows, [1, 2, 3, 1_000])
  func `a body decodes to the same in pieces of any size`(_ row: Row, _ size: Int) throws {
    let decoded = Decoded(of: row.body, row.codings, inPiecesOf: size)
    #expect(String(decoding: decoded.bytes, as: UTF8.self) == EncodedBodies.text)
    #expect(decoded.isFinished)
    #expect(decoded.fault == nil)
  }

  @Test(arguments: rows)
  func `a body is not finished before its last byte`(_ row: Row) {
    for count in 0..<row.body.count - 1 {
      let decoded = Decoded(of: Array(row.body.prefix(count)), row.codings, inPiecesOf: 7)
      #expect(!decoded.isFinished, "\(count) bytes")
      #expect(decoded.fault == nil)
    }
  }

  @Test(arguments: rows, [[0], [10], [0x1F], [0x1F, 0x8B, 0xFF], Array("garbage".utf8)])
  func `what follows the end of a body is ignored`(_ row: Row, _ rest: [UInt8]) {
    for size in [1, 1_000] {
      let decoded = Decoded(of: row.body + rest, row.codings, inPiecesOf: size)
      #expect(String(decoding: decoded.bytes, as: UTF8.self) == EncodedBodies.text)
      #expect(decoded.isFinished)
      #expect(decoded.fault == nil)
    }
  }

  @Test(arguments: [rows[0], rows[4]], [1, 1_000])
  func `several members in a row are one body`(_ row: Row, _ size: Int) {
    let decoded = Decoded(of: row.body + row.body, row.codings, inPiecesOf: size)
    #expect(String(decoding: decoded.bytes, as: UTF8.self) == EncodedBodies.text + EncodedBodies.text)
    #expect(decoded.isFinished)
  }

  @Test(arguments: rows)
  func `broken bytes give the same in pieces of any size`(_ row: Row) {
    for seed in UInt64(0)..<200 {
      var random = SeededGenerator(seed: seed)
      var body = row.body
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        body[Int.random(in: 0..<body.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      let whole = Decoded(of: body, row.codings, inPiecesOf: body.count)
      let parts = Decoded(of: body, row.codings, inPiecesOf: 1)
      #expect(parts.bytes.starts(with: whole.bytes) || whole.bytes.starts(with: parts.bytes))
      #expect(parts.isFinished == whole.isFinished, "seed \(seed)")
      #expect(parts.fault == whole.fault, "seed \(seed)")
    }
  }

  @Test func `a wide window is asked for, and not taken`() {
    #expect(Decoded(of: EncodedBodies.wideBrotli, [.brotli], inPiecesOf: 48).fault == .wantsMemory)
  }

  @Test(arguments: [(4 << 20, BodyEnd.whole), (1_000, .cut), (0, .cut)])
  func `a collected body is decoded up to its cap`(_ cap: Int, _ end: BodyEnd) {
    let body = CollectedBody(wire: EncodedBodies.wideBrotli, codings: [.brotli], cap: cap)
    let decoded = body.decoded()
    #expect(decoded.bytes == Array(EncodedBodies.widePage.utf8.prefix(cap)))
    #expect(decoded.end == end)
  }

  @Test func `a collected body may end early or be broken`() {
    let wire = EncodedBodies.wideBrotli
    #expect(CollectedBody(wire: Array(wire.prefix(40)), codings: [.brotli], cap: 10).decoded().end == .cut)
    let cap = 4 << 20
    #expect(CollectedBody(wire: Array(wire.prefix(40)), codings: [.brotli], cap: cap).decoded().end == .early)
    let broken = wire.prefix(20) + [UInt8](repeating: 255, count: 30)
    #expect(CollectedBody(wire: Array(broken), codings: [.brotli], cap: cap).decoded().end == .broken)
  }
}

/// What a chain makes of bytes.
private struct Decoded {
  private(set) var bytes: [UInt8] = []
  private(set) var isFinished = false
  private(set) var fault: CodingFault?

  init(of body: [UInt8], _ codings: [ContentCoding], inPiecesOf size: Int) {
    do throws(CodingFault) {
      let chain = try CodingChain(undoing: codings, largestPiece: 1 << 20, scratch: CodingScratch())
      for start in stride(from: 0, to: body.count, by: size) {
        let piece = body.span.extracting(start..<min(start + size, body.count))
        _ = try chain.decode(piece) { part in
          for index in part.indices { bytes.append(part[index]) }
          return true
        }
      }
      isFinished = chain.isFinished
    } catch {
      fault = error
    }
  }
}
