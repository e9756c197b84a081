/// The version of a response's content, by which a client asks whether its copy is still good.
public struct EntityTag: Hashable, Sendable {
  /// With its quotes.
  public let text: String

  /// nil when `opaque` has bytes that may not stand between quotes.
  public init?(_ opaque: String) {
    guard opaque.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x22 && $0 != 0x7F }) else { return nil }
    text = "\"\(opaque)\""
  }

  /// Whether `If-None-Match` names this version, compared weakly as RFC 9110, 8.8.3.2, has it. A malformed list names
  /// none: the client gets the content once more.
  public func isNamed(by ifNoneMatch: String) -> Bool {
    let value = Array(ifNoneMatch.utf8)[...].trimmed
    if value.elementsEqual("*".utf8) { return true }
    var rest = value
    while !rest.isEmpty {
      if rest.starts(with: "W/".utf8) { rest = rest.dropFirst(2) }
      guard rest.first == UInt8(ascii: "\""), let end = rest.dropFirst().firstIndex(of: UInt8(ascii: "\""))
      else { return false }
      if rest[...end].elementsEqual(text.utf8) { return true }
      rest = rest[(end + 1)...].drop { $0.isBlank || $0 == UInt8(ascii: ",") }
    }
    return false
  }
}
