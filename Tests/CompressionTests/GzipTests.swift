import PipelineTesting
import Testing

@testable import Compression

struct GzipTests {
  /// All that a header may have: an extra field, a name, a comment, and its checksum.
  static let fullHeader: [UInt8] = {
    let fields: [UInt8] =
      [0x1F, 0x8B, 8, 2 | 4 | 8 | 16, 1, 2, 3, 4, 0, 3] + [3, 0, 7, 0, 7]
      + Array("page.html\0".utf8) + Array("a comment\0".utf8)
    let checksum = crc32(fields.span)
    return fields + [UInt8(checksum & 0xFF), UInt8(checksum >> 8 & 0xFF)]
  }()
  /// The same data behind it as behind the short header.
  static let full = fullHeader + EncodedBodies.gzip.dropFirst(10)

  @Test(arguments: [EncodedBodies.gzip, full], [1, 2, 3, 7, 1_000])
  func `a member decodes to the same in pieces of any size`(_ body: [UInt8], _ size: Int) throws {
    let decoded = try Gunzipped(body, inPiecesOf: size)
    #expect(decoded.text == EncodedBodies.text)
    #expect(decoded.members == [body.count])
  }

  @Test(arguments: [1, 7, 1_000])
  func `what follows a member is left for the next one`(_ size: Int) throws {
    let decoded = try Gunzipped(Self.full + EncodedBodies.gzip, inPiecesOf: size)
    #expect(decoded.text == EncodedBodies.text + EncodedBodies.text)
    #expect(decoded.members == [Self.full.count, EncodedBodies.gzip.count])
  }

  @Test func `a header ends with its last byte`() throws {
    for count in 0...Self.fullHeader.count {
      var header = GzipHeader()
      let start = Array(Self.full.prefix(count))
      let taken = try header.take(start.span)
      #expect(taken == count)
      #expect(header.isComplete == (count == Self.fullHeader.count))
    }
    var header = GzipHeader()
    let member = Self.full
    let taken = try header.take(member.span)
    #expect(taken == Self.fullHeader.count)
  }

  @Test func `an extra field may be empty`() throws {
    let body: [UInt8] = [0x1F, 0x8B, 8, 4, 0, 0, 0, 0, 0, 3, 0, 0] + EncodedBodies.gzip.dropFirst(10)
    let decoded = try Gunzipped(body, inPiecesOf: 5)
    #expect(decoded.text == EncodedBodies.text)
  }

  @Test(
    arguments: [
      ([0x1F, 0x8C], "incorrect header check"), ([0x1F, 0x8B, 9, 0], "unknown compression method"),
      ([0x1F, 0x8B, 8, 0x20], "unknown header flags set"),
      (Array(fullHeader.dropLast()) + [fullHeader[fullHeader.count - 1] ^ 1], "header crc mismatch"),
      (Array(EncodedBodies.gzip.dropLast(5)) + [0, 23, 0, 0, 0], "incorrect data check"),
      (Array(EncodedBodies.gzip.dropLast(4)) + [24, 0, 0, 0], "incorrect data check"),
      (Array(EncodedBodies.gzip.prefix(10)) + [7], "invalid block"),
    ] as [([UInt8], String)], [1, 1_000])
  func `a broken member says what is wrong`(_ row: ([UInt8], String), _ size: Int) {
    #expect(throws: CompressionError.corrupt(row.1)) { try Gunzipped(row.0, inPiecesOf: size) }
  }

  @Test func `a checksum goes on behind that of the bytes before`() {
    let bytes = Array("123456789".utf8)
    let (whole, start) = (crc32(bytes.span), crc32(bytes.span.extracting(0..<4)))
    let end = crc32(bytes.span.extracting(4..<9), after: start)
    let unchanged = crc32(bytes.span.extracting(0..<0), after: 5)
    #expect(whole == 0xCBF4_3926)
    #expect(end == whole)
    #expect(unchanged == 5)
  }
}

/// What comes of members in a row.
private struct Gunzipped {
  private(set) var text = ""
  /// How many bytes each took.
  private(set) var members: [Int] = []

  init(_ body: [UInt8], inPiecesOf size: Int) throws {
    var decoder = try GzipDecoder()
    var output: [UInt8] = []
    var begin = 0
    for start in stride(from: 0, to: body.count, by: size) {
      let end = min(start + size, body.count)
      var position = start
      while position < end {
        let piece = body.span.extracting(position..<end)
        let progress = try decoder.decode(piece, into: &output, limit: 1_000)
        position += progress.consumed
        if progress.finished {
          members.append(position - begin)
          begin = position
        }
      }
    }
    text = String(decoding: output, as: UTF8.self)
  }
}
