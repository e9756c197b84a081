/// Bytes in pieces of any size, pulled by a thread that may block.
package protocol ByteSource: AnyObject {
  /// The next piece, which may be empty; nil at the end, and again after it.
  func nextChunk() throws(InputError) -> [UInt8]?
}

/// A source whose first bytes can be looked at before they are read.
final class PeekingSource: ByteSource {
  private let source: any ByteSource
  private var held: [UInt8] = []

  init(_ source: any ByteSource) {
    self.source = source
  }

  func nextChunk() throws(InputError) -> [UInt8]? {
    held.isEmpty ? try source.nextChunk() : exchange(&held, with: [])
  }

  /// Whether the source starts with `magic`; reads no further than it takes to tell.
  func begins(with magic: [UInt8]) throws(InputError) -> Bool {
    while held.count < magic.count, magic.starts(with: held) {
      guard try holdMore() else { break }
    }
    return held.starts(with: magic)
  }

  /// Drops bytes that `begins(with:)` has seen.
  func drop(_ count: Int) {
    held.removeFirst(min(count, held.count))
  }

  /// The first byte that is no white space; nil when there is none within `limit` bytes.
  func firstByteAfterBlanks(limit: Int) throws(InputError) -> UInt8? {
    try firstIndex(limit: limit) { !isBlank($0) }.map { held[$0] }
  }

  /// The first bytes, `count` of them unless there are fewer.
  func first(_ count: Int) throws(InputError) -> ArraySlice<UInt8> {
    while held.count < count {
      guard try holdMore() else { break }
    }
    return held.prefix(count)
  }

  /// The first line without its end, or as much of it as stands within `limit` bytes.
  func firstLine(limit: Int) throws(InputError) -> ArraySlice<UInt8> {
    let end = try firstIndex(limit: limit, where: isLineEnd)
    return held.prefix(end ?? limit)
  }

  private func firstIndex(limit: Int, where isWanted: (UInt8) -> Bool) throws(InputError) -> Int? {
    var start = 0
    while start < limit {
      if let found = held[start...].prefix(limit - start).firstIndex(where: isWanted) { return found }
      start = held.count
      guard try holdMore() else { break }
    }
    return nil
  }

  private func holdMore() throws(InputError) -> Bool {
    guard let chunk = try source.nextChunk() else { return false }
    held += chunk
    return true
  }
}

func isLineEnd(_ byte: UInt8) -> Bool {
  byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
}

/// ASCII white space, which is trimmed around links.
func isBlank(_ byte: UInt8) -> Bool {
  byte == 0x20 || (0x09...0x0D).contains(byte)
}

func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) }

func isLetterOrDigit(_ byte: UInt8) -> Bool {
  isLetter(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
}
