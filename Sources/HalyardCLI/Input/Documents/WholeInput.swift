/// An input that is read as a whole, up to a limit.
struct WholeInput {
  private let source: any ByteSource
  private let name: String
  private let limit: Int
  private(set) var bytes: [UInt8] = []
  private var hasEnded = false

  init(_ source: any ByteSource, name: String, limit: Int) {
    (self.source, self.name, self.limit) = (source, name, limit)
  }

  /// Whether all of it is there; false when that needs waiting, and the caller has something else to do.
  mutating func isRead(mayWait: Bool) throws(InputError) -> Bool {
    while !hasEnded {
      guard mayWait else { return false }
      guard let chunk = try source.nextChunk() else {
        hasEnded = true
        break
      }
      bytes += chunk
      guard bytes.count <= limit else {
        throw InputError(name, "is longer than \(Quantity.byteSize(Int64(limit)))")
      }
    }
    return true
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
