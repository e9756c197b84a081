import Pipeline

/// Writes rows in one format; bytes are collected until a burst is over.
struct RowWriter {
  /// More than this does not wait for the end of a burst.
  private static let bufferLimit = 262_144

  private let encoder: any RowEncoder
  private let sink: any ByteSink
  private var buffer: [UInt8] = []

  /// - Parameter goingOn: Rows follow others that are there already.
  init(_ encoder: any RowEncoder, to sink: any ByteSink, goingOn: Bool = false) {
    self.encoder = encoder
    self.sink = sink
    if !goingOn { encoder.appendHeader(to: &buffer) }
  }

  /// Takes one row: a JSON object in UTF-8, on one line.
  mutating func write(_ row: [UInt8]) throws(OutputError) {
    try encoder.append(row, to: &buffer)
    if buffer.count >= Self.bufferLimit { try flush() }
  }

  /// Hands on what was collected; to be called when a burst is over, and at the end even without any row.
  mutating func flush() throws(OutputError) {
    guard !buffer.isEmpty else { return }
    defer { buffer.removeAll(keepingCapacity: true) }
    try sink.write(buffer)
  }

  mutating func finish() throws(OutputError) {
    try flush()
    try sink.finish()
  }

  /// All rows up to this one of a batch were flushed.
  func remember(_ row: NumberedRow) throws(OutputError) { try sink.remember(row) }

  /// No more rows come, although there should be more.
  ///
  /// - Returns: Where the rows so far are kept, if they are kept somewhere new.
  mutating func breakOff(keepingRows: Bool) -> String? {
    if keepingRows { try? flush() }
    return sink.breakOff(keepingRows: keepingRows)
  }
}
