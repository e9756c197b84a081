internal import Curl

/// A whole body as it came, to be decoded with more memory and time than others could be made to wait for.
struct CollectedBody: Sendable {
  let wire: [UInt8]
  let codings: [ContentCoding]
  let cap: Int

  struct Decoded: Sendable {
    var bytes: [UInt8]
    var end: BodyEnd
  }

  /// Brotli's largest window is 16 MiB.
  private static let largestPiece = 32 << 20

  func decoded() -> Decoded {
    var bytes: [UInt8] = []
    do {
      let chain = try CodingChain(undoing: codings, largestPiece: Self.largestPiece, scratch: CodingScratch())
      let goesOn = try chain.decode(wire.span) { piece in
        let room = cap - bytes.count
        bytes.append(copying: piece.extracting(first: room))
        return piece.count <= room
      }
      if !goesOn { return Decoded(bytes: bytes, end: .cut) }
      return Decoded(bytes: bytes, end: chain.isFinished ? .whole : .early)
    } catch {
      return Decoded(bytes: bytes, end: .broken)
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
