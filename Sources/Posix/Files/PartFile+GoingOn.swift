/// A part that is gone on with after its writer was killed, and a note beside it that says how far the writer came.
extension PartFile {
  /// What the writer before noted last; empty when it noted nothing, and beside a new part.
  public var noted: [UInt8] {
    guard let note else { return [] }
    return (try? note.skip(to: 0)).flatMap { try? note.readChunk(limit: 4_096) } ?? []
  }

  /// Notes something in place of what was noted before. It has the same size each time, and is one block at most, so it is
  /// never there in part.
  public func note(_ bytes: [UInt8]) throws(PosixError) {
    try note?.skip(to: 0)
    try note?.writeAll(bytes)
  }

  /// Keeps so many bytes, and writes behind them.
  public func goOn(from bytes: Int) throws(PosixError) {
    try descriptor.cut(to: bytes)
    try descriptor.skip(to: bytes)
  }

  /// Keeps nothing.
  public func restart() throws(PosixError) {
    try note?.cut(to: 0)
    try goOn(from: 0)
  }

  /// Bytes that were written.
  public var size: Int { descriptor.size ?? 0 }
}
