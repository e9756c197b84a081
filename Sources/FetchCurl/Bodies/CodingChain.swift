internal import Posix

/// Undoes the codings of a body, the last one first.
final class CodingChain {
  /// Decoded bytes that are handed on at once.
  private static let pieceBytes = 64 << 10

  private let stages: [any Decoding]
  private let scratch: CodingScratch
  private let mostBetween: Int
  /// What came out of stages that others follow: it is undone whether or not anything comes of that.
  private(set) var bytesBetween = 0
  private let isWanted: () -> Bool

  /// - Parameters:
  ///   - codings: In the sequence in which they were applied.
  ///   - mostBetween: The most bytes that a body may take between two codings.
  ///   - isWanted: Asked before each piece.
  init(
    undoing codings: [ContentCoding], largestPiece: Int, mostBetween: Int, scratch: CodingScratch,
    isWanted: @escaping () -> Bool = { true }
  ) throws(CodingFault) {
    var stages: [any Decoding] = []
    for coding in codings.reversed() { stages.append(try coding.decoding(largestPiece: largestPiece)) }
    self.stages = stages
    self.scratch = scratch
    self.mostBetween = mostBetween
    self.isWanted = isWanted
  }

  /// Whether the body may end here.
  var isFinished: Bool { stages.allSatisfy(\.isFinished) }

  /// Hands on what `input` decodes to, piece by piece, until all is handed on or the receiver has enough.
  ///
  /// - Parameter deliver: Gets a piece, and tells whether it wants more.
  /// - Returns: Whether more is wanted.
  func decode(
    _ input: Span<UInt8>, deliver: (Span<UInt8>) -> Bool
  ) throws(CodingFault) -> Bool {
    try decode(input, from: 0, deliver)
  }

  private func decode(
    _ input: Span<UInt8>, from stage: Int, _ deliver: (Span<UInt8>) -> Bool
  ) throws(CodingFault) -> Bool {
    guard stage < stages.count else { return deliver(input) }
    var output = scratch.take(stage)
    defer { scratch.put(output, stage) }
    var position = 0
    while true {
      guard isWanted() else { throw .unwanted }
      output.removeAll(keepingCapacity: true)
      let rest = input.extracting(position..<input.count)
      var fault: CodingFault?
      var consumed = 0
      do throws(CodingFault) {
        consumed = try stages[stage].decode(rest, into: &output, limit: Self.pieceBytes)
      } catch {
        fault = error
      }
      if stage + 1 < stages.count { bytesBetween += output.count }
      guard bytesBetween <= mostBetween else { throw .over(.swollen(cap: mostBetween)) }
      if !output.isEmpty, try !decode(output.span, from: stage + 1, deliver) { return false }
      if let fault { throw fault }
      position += consumed
      if output.count < Self.pieceBytes, position == input.count || (consumed == 0 && output.isEmpty) {
        return true
      }
    }
  }
}

/// Memory in which the stages of a chain work: one chain at a time.
final class CodingScratch {
  private var pieces: [[UInt8]] = []

  fileprivate func take(_ stage: Int) -> [UInt8] {
    while pieces.count <= stage { pieces.append([]) }
    defer { pieces[stage] = [] }
    return pieces[stage]
  }

  fileprivate func put(_ piece: consuming [UInt8], _ stage: Int) {
    pieces[stage] = piece
  }
}

/// A coding of a body that can be undone here.
enum ContentCoding: Sendable {
  case gzip
  case deflate
  case brotli
  case zstandard

  /// What requests say in their Accept-Encoding header.
  static let accepted = "gzip, deflate, br, zstd"

  /// By its name in a header, in any case; nil when it is unknown.
  init?(_ name: Span<UInt8>) {
    if name.isNamed("gzip") || name.isNamed("x-gzip") {
      self = .gzip
    } else if name.isNamed("deflate") {
      self = .deflate
    } else if name.isNamed("br") {
      self = .brotli
    } else if name.isNamed("zstd") {
      self = .zstandard
    } else {
      return nil
    }
  }
}

/// The codings that header fields name, in their sequence.
struct CodingList {
  private(set) var known: [ContentCoding] = []
  private(set) var unknown = 0

  /// Takes a list such as `br, gzip`; names that change nothing about a body's bytes do not count.
  mutating func add(_ list: Span<UInt8>) {
    var start = 0
    while start < list.count {
      let rest = list.extracting(start..<list.count)
      let part = rest.extracting(0..<rest.firstIndex(of: UInt8(ascii: ","), from: 0))
      add(name: part.extracting(part.trimmedRange()))
      start += part.count + 1
    }
  }

  private mutating func add(name: Span<UInt8>) {
    guard !name.isEmpty, !name.isNamed("identity"), !name.isNamed("chunked") else { return }
    if let coding = ContentCoding(name) { known.append(coding) } else { unknown += 1 }
  }
}

/// The parts of a coded body, gzip's members or Zstandard's frames: which one goes on or ends, and what follows the last one.
struct CodedParts {
  /// Any of the sequences that another part begins with; all of them are of one length. None where there is one part only.
  private let starts: [[UInt8]]
  /// The first bytes behind a complete part; nil in the middle of one.
  private var seen: [UInt8]?
  /// The rest of the body is ignored, because it is not a part.
  private(set) var isOver = false

  static let one = CodedParts(starts: [])
  static let gzip = CodedParts(starts: [[0x1F, 0x8B, 0x08]])
  /// Frames, and those that are to be skipped.
  static let zstandard = CodedParts(
    starts: [[0x28, 0xB5, 0x2F, 0xFD]] + (0x50...0x5F).map { [$0, 0x2A, 0x4D, 0x18] })

  private init(starts: [[UInt8]]) {
    self.starts = starts
  }

  /// Whether the body may end here.
  var isFinished: Bool { seen != nil || isOver }

  /// Looks at bytes before they are decoded: they may begin another part.
  mutating func take(_ bytes: Span<UInt8>) {
    guard var seen else { return }
    seen.append(copying: bytes.extracting(first: starts[0].count - seen.count))
    self.seen = starts.contains(seen) ? nil : seen
  }

  mutating func ended() {
    seen = []
    isOver = starts.isEmpty
  }

  /// The bytes could not be decoded.
  ///
  /// - Returns: Whether that is a fault: only in the middle of a part.
  mutating func failed() -> Bool {
    isOver = seen != nil
    return !isOver
  }
}
