/// An input that is read as a whole, up to a limit.
struct WholeInput {
  let name: String
  let limit: Int
  private(set) var bytes: [UInt8] = []

  /// Takes a piece, and tells whether that was the last one.
  ///
  /// - Parameter chunk: nil at the end.
  mutating func isWhole(with chunk: [UInt8]?) throws(InputError) -> Bool {
    guard let chunk else { return true }
    bytes += chunk
    guard bytes.count <= limit else {
      throw InputError(name, "is longer than \(Quantity.byteSize(Int64(limit)))")
    }
    return false
  }
}

/// Counts lines and columns up to places that follow one another in a text.
struct PlaceCounter {
  private var offset = 0
  private(set) var line = 1
  /// In characters, not bytes.
  private(set) var column = 1

  mutating func count(to place: Int, in bytes: [UInt8]) {
    while offset < place {
      if bytes[offset] == UInt8(ascii: "\n") {
        (line, column) = (line + 1, 1)
      } else if bytes[offset] & 0xC0 != 0x80 {
        column += 1
      }
      offset += 1
    }
  }
}
