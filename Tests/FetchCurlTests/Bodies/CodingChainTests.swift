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

  @Test(
    arguments: [
      (rows[0], [0x1F, 0x8B, 0x08]), (rows[0], [0x1F, 0x8B, 0x08, 0, 0]),
      (rows[4], [0x28, 0xB5, 0x2F, 0xFD]),
      (rows[4], [0x50, 0x2A, 0x4D, 0x18, 9, 0, 0, 0]),
    ] as [(Row, [UInt8])], [1, 1_000])
  func `a body whose next member has begun is not finished`(_ row: (Row, [UInt8]), _ size: Int) {
    let decoded = Decoded(of: row.0.body + row.1, row.0.codings, inPiecesOf: size)
    #expect(String(decoding: decoded.bytes, as: UTF8.self) == EncodedBodies.text)
    #expect(!decoded.isFinished)
    #expect(decoded.fault == nil)
  }

  @Test(
    arguments: [
      (EncodedBodies.endlessGzipHeader(mebibytes: 500), [.gzip, .zstandard]),
      (EncodedBodies.brotliBombToSkip, [.zstandard, .brotli]),
    ] as [([UInt8], [ContentCoding])])
  func `what is between two codings is bounded`(_ body: [UInt8], _ codings: [ContentCoding]) {
    let swollen = CodingFault.over(.swollen(cap: 1 << 20))
    #expect(Decoded(of: body, codings, inPiecesOf: body.count, largestPiece: 32 << 20).fault == swollen)
    let collected = CollectedBody(wire: body, codings: codings, cap: 1_000, mostBetween: 1 << 20)
    #expect(collected.decoded().end == .swollen(cap: 1 << 20))
  }

  @Test func `nobody decodes on when nobody waits`() {
    let body = CollectedBody(
      wire: EncodedBodies.brotliBomb, codings: [.brotli], cap: .max - (64 << 20), mostBetween: 0)
    var pieces = 0
    let decoded = body.decoded {
      pieces += 1
      return pieces < 4
    }
    #expect(decoded.end == nil)
    #expect(decoded.bytes.count == 3 * 64 << 10)
  }

  @Test func `a window that is too large is no broken body`() {
    for (bits, fault) in [(23, nil), (24, .over(.windowTooLarge))] as [(UInt8, CodingFault?)] {
      let body = EncodedBodies.zstandardBomb(mebibytes: 1, windowBits: bits)
      #expect(Decoded(of: body, [.zstandard], inPiecesOf: 1_000).fault == fault)
      #expect(Decoded(of: EncodedBodies.zstandard + body, [.zstandard], inPiecesOf: 7).fault == fault)
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
    let body = CollectedBody(wire: EncodedBodies.wideBrotli, codings: [.brotli], cap: cap, mostBetween: 0)
    let decoded = body.decoded()
    #expect(decoded.bytes == Array(EncodedBodies.widePage.utf8.prefix(cap)))
    #expect(decoded.end == end)
  }

  @Test func `a collected body may end early or be broken`() {
    func end(_ wire: [UInt8], cap: Int = 4 << 20) -> BodyEnd? {
      CollectedBody(wire: wire, codings: [.brotli], cap: cap, mostBetween: 0).decoded().end
    }
    let start = Array(EncodedBodies.wideBrotli.prefix(40))
    #expect(end(start, cap: 10) == .cut)
    #expect(end(start) == .early)
    #expect(end(Array(start.prefix(20)) + [UInt8](repeating: 255, count: 30)) == .broken)
  }
}

/// What a chain makes of bytes.
private struct Decoded {
  private(set) var bytes: [UInt8] = []
  private(set) var isFinished = false
  private(set) var fault: CodingFault?

  init(
    of body: [UInt8], _ codings: [ContentCoding], inPiecesOf size: Int, largestPiece: Int = 1 << 20
  ) {
    do throws(CodingFault) {
      let chain = try CodingChain(
        undoing: codings, largestPiece: largestPiece, mostBetween: 1 << 20, scratch: CodingScratch())
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
