internal import Compression
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
      let end = error.end ?? .broken
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
  }

  /// Brotli's largest.
  private static let windowBytes = 16 << 20

  /// Memory that decoding may take, beside the bytes themselves.
  var workingBytes: Int { Self.windowBytes + cap }

  /// - Parameter isWanted: Asked before each piece.
  func decoded(while isWanted: @escaping () -> Bool = { true }) -> Decoded {
    var bytes: [UInt8] = []
    let end = decode(into: &bytes, while: isWanted)
    return Decoded(bytes: bytes, end: end == .whole ? doubt.verdict(on: bytes) : end)
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
      return error.end
    }
  }
}

/// How much of a body there is.
enum BodyEnd: Hashable, Sendable {
  case whole
  /// There would be more than its cap allows.
  case cut
  /// It stopped in the middle.
  case early
  case broken
  /// Undone as its headers say, it is gzip once more.
  case codedAgain
  /// Between its codings it would be larger than this.
  case swollen(cap: Int)
  /// To decode it takes a larger window than any body gets.
  case windowTooLarge
}

/// Undoes one coding piece by piece.
protocol Decoding: AnyObject {
  /// Whether the coded data may end here.
  var isFinished: Bool { get }

  /// Decodes `input` and appends at most `limit` bytes to `output`, also when it then throws.
  ///
  /// - Returns: How many bytes of the input are used up: none when nothing is left to give without more of them.
  func decode(_ input: Span<UInt8>, into output: inout [UInt8], limit: Int) throws(CodingFault) -> Int
}

enum CodingFault: Error, Hashable {
  /// No more of it can be decoded.
  case over(BodyEnd)
  /// What follows can only be had with more memory than a body gets where others wait for it.
  case wantsMemory
  /// Its caller gave up.
  case unwanted

  init(_ error: CompressionError) {
    switch error {
    case .corrupt: self = .over(.broken)
    case .windowTooLarge: self = .over(.windowTooLarge)
    case .outOfMemory: self = .wantsMemory
    }
  }

  /// How the body ends when no more memory can be had; nil when its caller gave up.
  var end: BodyEnd? {
    switch self {
    case .over(let end): end
    case .wantsMemory: .broken
    case .unwanted: nil
    }
  }
}

extension ContentCoding {
  /// RFC 9659: the largest window of `zstd` that a server may use on the web.
  static let windowBits: Int32 = 23

  /// - Parameter largestPiece: The most memory, in bytes, that may be taken at once.
  func decoding(largestPiece: Int) throws(CodingFault) -> any Decoding {
    do throws(CompressionError) {
      return switch self {
      case .gzip: StreamDecoding(try GzipDecoder(), .gzip)
      case .deflate: StreamDecoding(try DeflateDecoder(), .one)
      case .brotli: StreamDecoding(try BrotliDecoder(largestPiece: largestPiece), .one)
      case .zstandard: StreamDecoding(try ZstandardDecoder(windowBits: Self.windowBits), .zstandard)
      }
    } catch {
      throw CodingFault(error)
    }
  }
}

/// A coding of one part or more; what follows the last one is ignored.
final class StreamDecoding<Decoder: StreamDecoder & ~Copyable>: Decoding {
  private var decoder: Decoder
  private var parts: CodedParts

  init(_ decoder: consuming Decoder, _ parts: CodedParts) {
    self.decoder = decoder
    self.parts = parts
  }

  var isFinished: Bool { parts.isFinished }

  func decode(_ input: Span<UInt8>, into output: inout [UInt8], limit: Int) throws(CodingFault) -> Int {
    guard !parts.isOver else { return input.count }
    parts.take(input)
    do {
      let progress = try decoder.decode(input, into: &output, limit: limit)
      if progress.finished { parts.ended() }
      return progress.consumed
    } catch {
      if error == .windowTooLarge || parts.failed() { throw CodingFault(error) }
      return input.count
    }
  }
}
