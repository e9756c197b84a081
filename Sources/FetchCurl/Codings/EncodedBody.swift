internal import Posix

/// Decodes a body while it comes in, and keeps what it would need to think again.
final class EncodedBody {
  enum Step {
    case goesOn
    case hasEnough
    /// From now on the bytes are kept as they come, to be decoded where nothing waits: what was handed on is void.
    case collects
    /// It is text that only claims to be encoded: what was handed on is void, and `wire` is what it should have been.
    case isPlain
    /// No more of it can be decoded.
    case isOver(BodyEnd)
  }

  /// More memory than this is not taken at once where other exchanges wait.
  private static let largestPiece = 1 << 20
  /// Text that decodes to something gives itself away within so many bytes.
  private static let bytesOfDoubt = 16 << 10

  let codings: [ContentCoding]
  let mostBetween: Int
  private let chain: CodingChain
  private var hasDecoded = false
  private var hasLetGo = false
  private(set) var isCollecting = false
  /// The bytes as they came, while they may be needed again.
  private(set) var wire: [UInt8] = []

  /// - Parameter mostBetween: The most bytes that it may take between two codings.
  init(_ codings: [ContentCoding], mostBetween: Int, scratch: CodingScratch) throws(CodingFault) {
    self.codings = codings
    self.mostBetween = mostBetween
    chain = try CodingChain(
      undoing: codings, largestPiece: Self.largestPiece, mostBetween: mostBetween, scratch: scratch)
  }

  /// As much of what is between its codings may be held in their windows.
  var bytesBetween: Int { chain.bytesBetween }

  /// Whether its bytes may all have to be kept.
  var mayCollect: Bool { codings.contains(.brotli) }

  func take(_ part: Span<UInt8>, deliver: (Span<UInt8>) -> Bool) -> Step {
    keep(part)
    guard !isCollecting else { return .goesOn }
    do {
      let goesOn = try chain.decode(part) { piece in
        hasDecoded = true
        return deliver(piece)
      }
      return goesOn ? .goesOn : .hasEnough
    } catch {
      if error == .wantsMemory, mayCollect {
        isCollecting = true
        return .collects
      }
      let end = BodyEnd(error, mostBetween: mostBetween) ?? .broken
      return end == .broken && isText ? .isPlain : .isOver(end)
    }
  }

  /// What it means that no more bytes come.
  var end: BodyEnd { chain.isFinished ? .whole : .early }

  /// Text, if only because it is nothing, that has not decoded to anything. A byte that is a whole brotli stream is none.
  var isUndecodedText: Bool { !hasDecoded && isText && !(chain.isFinished && wire.count == 1) }

  private var isText: Bool { !hasLetGo && PlainText.fits(wire) }

  private func keep(_ part: Span<UInt8>) {
    guard !hasLetGo else { return }
    wire.append(copying: part)
    guard hasDecoded, !mayCollect, wire.count > Self.bytesOfDoubt else { return }
    hasLetGo = true
    wire = []
  }
}
