/// The name under which a robots.txt speaks to a crawler (RFC 9309, 2.2.1): letters, hyphens and underscores, without
/// case.
public struct ProductToken: Hashable, Sendable {
  /// In lower case; empty for one to which only the rules for all apply.
  let octets: [UInt8]

  /// The name within what is sent as User-Agent: how it begins or, as crawlers that pass for browsers write it, what
  /// stands behind `compatible;`.
  public init(userAgent: String) {
    let text = Array(userAgent.utf8)[...]
    let behind = text.behind(Array("compatible;".utf8)).map { $0.drop { $0 == .space } }
    let name = behind.map(Self.start) ?? []
    octets = name.isEmpty ? Self.start(of: text) : name
  }

  /// How a value begins; versions and whatever else follows do not count.
  static func start(of text: ArraySlice<UInt8>) -> [UInt8] {
    text.prefix { $0.isASCIILetter || $0 == .hyphen || $0 == UInt8(ascii: "_") }.map(\.asciiLowercased)
  }
}

extension ProductToken: CustomStringConvertible {
  public var description: String { String(decoding: octets, as: UTF8.self) }
}

extension ArraySlice<UInt8> {
  /// What follows the first occurrence of a text in lower case; nil without one.
  fileprivate func behind(_ text: [UInt8]) -> ArraySlice<UInt8>? {
    var rest = self
    while rest.count >= text.count {
      if rest.prefix(text.count).elementsEqual(text, by: { $0.asciiLowercased == $1 }) {
        return rest.dropFirst(text.count)
      }
      rest = rest.dropFirst()
    }
    return nil
  }
}
