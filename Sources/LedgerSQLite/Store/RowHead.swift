import Pipeline

/// The beginning of a row that follows from where the row stands: half of a short one. A ledger keeps the rest, behind a
/// mark with which no JSON begins.
struct RowHead {
  private static let mark: UInt8 = 1
  private static let longest = 160

  private let bytes: [UInt8]

  init(_ batch: BatchID, _ ordinal: UInt64) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Self.longest)
    bytes += #"{"schema":"halyard.result/1","id":""#.utf8
    JobID(batch: batch, ordinal: ordinal).uuid.write(to: &bytes)
    bytes += #"","batch":""#.utf8
    batch.uuid.write(to: &bytes)
    bytes += #"","ordinal":"#.utf8
    bytes += String(ordinal).utf8
    bytes.append(UInt8(ascii: ","))
    self.bytes = bytes
  }

  /// What is kept of a row: all of it when it begins in another way.
  func stripped(_ row: [UInt8]) -> [UInt8] {
    guard row.count > bytes.count, row[..<bytes.count] == bytes[...] else { return row }
    var kept: [UInt8] = []
    kept.reserveCapacity(row.count - bytes.count + 1)
    kept.append(Self.mark)
    kept += row[bytes.count...]
    return kept
  }

  /// The row as it was.
  static func whole(_ kept: [UInt8], _ batch: BatchID, _ ordinal: UInt64) -> [UInt8] {
    guard kept.first == mark else { return kept }
    return RowHead(batch, ordinal).bytes + kept[1...]
  }
}
