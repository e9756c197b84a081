import PipelineTesting
import Testing

@testable import Compression

struct DeflateTests {
  @Test(arguments: [EncodedBodies.zlib, EncodedBodies.rawDeflate], [1, 2, 1_000])
  func `a stream is told with a header or without`(_ body: [UInt8], _ size: Int) throws {
    var decoder = try DeflateDecoder()
    var output: [UInt8] = []
    var finished = false
    for start in stride(from: 0, to: body.count, by: size) {
      #expect(!finished)
      let piece = body.span.extracting(start..<min(start + size, body.count))
      finished = try decoder.decode(piece, into: &output, limit: 1_000).finished
    }
    #expect(finished)
    #expect(String(decoding: output, as: UTF8.self) == EncodedBodies.text)
  }

  @Test func `no more comes out at once than is asked for`() throws {
    var decoder = try DeflateDecoder()
    var output: [UInt8] = []
    let body = EncodedBodies.zlib
    var position = 0
    for length in 1...EncodedBodies.text.utf8.count {
      let rest = body.span.extracting(position..<body.count)
      position += try decoder.decode(rest, into: &output, limit: 1).consumed
      #expect(output.count == length)
    }
    #expect(String(decoding: output, as: UTF8.self) == EncodedBodies.text)
  }

  @Test func `a stream that needs a dictionary is refused, however it is cut`() throws {
    let body: [UInt8] = [0x78, 0xBB, 0, 0, 0, 1] + EncodedBodies.rawDeflate + EncodedBodies.zlib.suffix(4)
    for cut in 0...body.count {
      var decoder = try DeflateDecoder()
      var output: [UInt8] = []
      #expect(throws: CompressionError.corrupt("a preset dictionary is needed"), "cut at \(cut)") {
        for piece in [0..<cut, cut..<body.count] {
          _ = try decoder.decode(body.span.extracting(piece), into: &output, limit: 1_000)
        }
      }
      #expect(output.isEmpty)
    }
  }

  @Test(
    arguments: [
      ([0x78, 0xBB, 0, 0, 0, 1], "a preset dictionary is needed"), ([6, 0], "invalid block"),
      // Fixed codes: a distance of one behind nothing, and a length that there is not.
      ([3, 2, 0, 0, 0], "invalid distance too far back"), ([0x1B, 3, 0, 0, 0], "invalid code"),
      (Array(EncodedBodies.zlib.dropLast()) + [0], "incorrect data check"),
    ] as [([UInt8], String)])
  func `a broken stream says what is wrong`(_ body: [UInt8], _ words: String) throws {
    var decoder = try DeflateDecoder()
    var output: [UInt8] = []
    #expect(throws: CompressionError.corrupt(words)) {
      try decoder.decode(body.span, into: &output, limit: 1_000)
    }
  }
}
