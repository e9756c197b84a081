extension String {
  /// The text, without its middle where it takes more bytes: what it is about stands at the beginning, and how it ended
  /// at the end. No character is cut in two, and a mark stands for what is left out.
  public func shortened(toBytes limit: Int) -> String {
    guard utf8.count > limit else { return self }
    let (bytes, room) = (Array(utf8), max(0, limit - Self.omission.utf8.count))
    var end = room / 2
    while end > 0, bytes[end].isContinuation { end -= 1 }
    var start = bytes.count - (room - room / 2)
    while start < bytes.count, bytes[start].isContinuation { start += 1 }
    return String(decoding: bytes[..<end], as: UTF8.self) + Self.omission
      + String(decoding: bytes[start...], as: UTF8.self)
  }

  private static let omission = " […] "
}

extension UInt8 {
  /// It belongs to the UTF-8 character that began before it.
  fileprivate var isContinuation: Bool { self & 0xC0 == 0x80 }
}
