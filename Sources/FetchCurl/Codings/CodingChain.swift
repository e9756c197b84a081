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
      guard bytesBetween <= mostBetween else { throw .swollen }
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
