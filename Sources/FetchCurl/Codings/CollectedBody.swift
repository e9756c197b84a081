internal import Posix

/// A whole body as it came, to be decoded with more memory and time than others could be made to wait for.
struct CollectedBody: Sendable {
  let wire: [UInt8]
  let codings: [ContentCoding]
  let cap: Int
  /// The most bytes that it may take between two codings.
  let mostBetween: Int
  var doubt = CodingDoubt()

  struct Decoded: Sendable {
    var bytes: [UInt8]
    /// Nil when its caller gave up.
    var end: BodyEnd?
    /// What it took to decode them.
    let workingBytes: Int
  }

  /// Brotli's largest.
  private static let windowBytes = 16 << 20

  /// Memory that decoding may take, beside the bytes themselves.
  var workingBytes: Int { Self.windowBytes + cap }

  /// - Parameter isWanted: Asked before each piece.
  func decoded(while isWanted: @escaping () -> Bool = { true }) -> Decoded {
    var bytes: [UInt8] = []
    let end = decode(into: &bytes, while: isWanted)
    return Decoded(
      bytes: bytes, end: end == .whole ? doubt.verdict(on: bytes) : end, workingBytes: workingBytes)
  }

  private func decode(into bytes: inout [UInt8], while isWanted: @escaping () -> Bool) -> BodyEnd? {
    do {
      let chain = try CodingChain(
        undoing: codings, largestPiece: 2 * Self.windowBytes, mostBetween: mostBetween,
        scratch: CodingScratch(), isWanted: isWanted)
      let goesOn = try chain.decode(wire.span) { piece in
        let room = cap - bytes.count
        bytes.append(copying: piece.extracting(first: room))
        return piece.count <= room
      }
      if !goesOn { return .cut }
      return chain.isFinished ? .whole : .early
    } catch {
      return BodyEnd(error, mostBetween: mostBetween)
    }
  }
}
