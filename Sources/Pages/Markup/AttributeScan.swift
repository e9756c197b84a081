import Posix

/// Walks over the attributes of one tag.
struct AttributeScan {
  /// Behind the tag's `>` once there is no further attribute.
  private(set) var position: Int
  private(set) var isSelfClosing = false
  /// Whether the tag ended before the page did.
  private(set) var isComplete = false

  /// The next attribute; nil behind the last one.
  mutating func next(in bytes: Span<UInt8>) -> (name: Range<Int>, value: Range<Int>)? {
    guard startOfName(in: bytes) else { return nil }
    let name = self.name(in: bytes)
    skipSpace(in: bytes)
    guard position < bytes.count else { return nil }
    guard bytes[position] == .equals else { return (name, position..<position) }
    position &+= 1
    skipSpace(in: bytes)
    guard position < bytes.count else { return nil }
    switch bytes[position] {
    case .doubleQuote, .singleQuote:
      let start = position &+ 1
      let end = bytes.firstIndex(of: bytes[position], from: start)
      position = end &+ 1
      return end < bytes.count ? (name, start..<end) : nil
    case .greater:
      return (name, position..<position)
    default:
      let start = position
      while position < bytes.count, !bytes[position].isHTMLSpace, bytes[position] != .greater {
        position &+= 1
      }
      return (name, start..<position)
    }
  }

  /// Passes over white space and slashes; false when the tag ends here.
  private mutating func startOfName(in bytes: Span<UInt8>) -> Bool {
    var isBehindSlash = false
    while position < bytes.count {
      switch bytes[position] {
      case .greater:
        isSelfClosing = isBehindSlash
        isComplete = true
        position &+= 1
        return false
      case .slash:
        isBehindSlash = true
        position &+= 1
      case 0x20, 0x0A, 0x09, 0x0D, 0x0C:
        isBehindSlash = false
        position &+= 1
      default:
        return true
      }
    }
    return false
  }

  /// A name may start with `=`, but not contain it.
  private mutating func name(in bytes: Span<UInt8>) -> Range<Int> {
    let start = position
    position &+= 1
    while position < bytes.count {
      switch bytes[position] {
      case .equals, .greater, .slash, 0x20, 0x0A, 0x09, 0x0D, 0x0C: return start..<position
      default: position &+= 1
      }
    }
    return start..<position
  }

  private mutating func skipSpace(in bytes: Span<UInt8>) {
    position = bytes.skippingSpace(from: position, to: bytes.count)
  }
}
