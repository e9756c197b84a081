internal import Curl

/// A whole body as it came, to be decoded with more memory and time than others could be made to wait for.
struct CollectedBody: Sendable {
  let wire: [UInt8]
  let codings: [ContentCoding]
  let cap: Int

  struct Decoded: Sendable {
    var bytes: [UInt8]
    var end: BodyEnd
    /// What it took to decode them.
    let workingBytes: Int
  }

  /// Brotli's largest.
  private static let windowBytes = 16 << 20

  /// Memory that decoding may take, beside the bytes themselves.
  var workingBytes: Int { Self.windowBytes + cap }

  func decoded() -> Decoded {
    var bytes: [UInt8] = []
    let end = decode(into: &bytes)
    return Decoded(bytes: bytes, end: end, workingBytes: workingBytes)
  }

  private func decode(into bytes: inout [UInt8]) -> BodyEnd {
    do {
      let chain = try CodingChain(
        undoing: codings, largestPiece: 2 * Self.windowBytes, scratch: CodingScratch())
      let goesOn = try chain.decode(wire.span) { piece in
        let room = cap - bytes.count
        bytes.append(copying: piece.extracting(first: room))
        return piece.count <= room
      }
      if !goesOn { return .cut }
      return chain.isFinished ? .whole : .early
    } catch {
      return .broken
    }
  }
}

/// How much of a body there is.
enum BodyEnd: Sendable {
  case whole
  /// There would be more than its cap allows.
  case cut
  /// It stopped in the middle.
  case early
  case broken
}
