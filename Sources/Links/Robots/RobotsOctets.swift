/// Paths as robots.txt compares them (RFC 9309, 2.2.2): percent-encoded, but for what needs no encoding.
enum RobotsOctets {
  /// Reserved and unreserved characters, without the two that mean something in patterns.
  private static let plain = ByteSet(printableExcept: ##""%<>\^`{|}*$"##)
  /// What separates the parts of a URL; within a query it is often left as it is.
  private static let separators = Array(":/?#[]@".utf8)

  /// `*` is encoded, because in a URL it is no more than itself.
  static func ofURL(_ url: WebURL) -> [UInt8] {
    normalised(Array((url.path + (url.query.map { "?\($0)" } ?? "")).utf8), keepingStars: false)
  }

  static func ofPattern(_ text: some Collection<UInt8>) -> [UInt8] {
    normalised(Array(text), keepingStars: true)
  }

  /// The same once more with the separators of the query encoded, and with none of them, where that makes a
  /// difference: rules are written in either way.
  static func spellings(of path: [UInt8]) -> [[UInt8]] {
    guard let question = path.firstIndex(of: .question) else { return [path] }
    let query = path[(question + 1)...]
    var spellings = [path]
    for other in [encoded(query), decoded(query)] {
      let spelling = path[...question] + other
      if !spelling.elementsEqual(path) { spellings.append(Array(spelling)) }
    }
    return spellings
  }

  private static func normalised(_ text: [UInt8], keepingStars: Bool) -> [UInt8] {
    var octets: [UInt8] = []
    octets.reserveCapacity(text.count)
    var index = 0
    while index < text.count {
      if let octet = text.span.encodedByte(at: index) {
        if octet.isUnreserved { octets.append(octet) } else { octets.appendPercentEncoded(octet) }
        index += 3
        continue
      }
      let octet = text[index]
      if plain.contains(octet) || keepingStars && octet == .star {
        octets.append(octet)
      } else {
        octets.appendPercentEncoded(octet)
      }
      index += 1
    }
    return octets
  }

  private static func encoded(_ query: ArraySlice<UInt8>) -> [UInt8] {
    var octets: [UInt8] = []
    for octet in query {
      if separators.contains(octet) { octets.appendPercentEncoded(octet) } else { octets.append(octet) }
    }
    return octets
  }

  private static func decoded(_ query: ArraySlice<UInt8>) -> [UInt8] {
    var octets: [UInt8] = []
    var rest = query
    while let octet = rest.first {
      if let octet = rest.span.encodedByte(at: 0), separators.contains(octet) {
        octets.append(octet)
        rest = rest.dropFirst(3)
      } else {
        octets.append(octet)
        rest = rest.dropFirst()
      }
    }
    return octets
  }
}

extension UInt8 {
  static var star: UInt8 { 0x2A }
  static var dollar: UInt8 { 0x24 }
}
