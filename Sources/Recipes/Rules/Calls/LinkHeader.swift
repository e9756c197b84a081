/// Links that a response's headers tell (RFC 8288).
package enum LinkHeader {
  /// The target of the first link with a relation, as it is written; nil when there is none.
  ///
  /// Links that are not about the document itself, which have an anchor, do not count.
  package static func target(_ relation: String, in headers: [String]) -> String? {
    for header in headers {
      var scanner = LinkScanner(header)
      while let link = scanner.next() {
        let relations = link.relations.lowercased().split { $0 == " " || $0 == "\t" }
        if !link.hasAnchor, relations.contains(Substring(relation.lowercased())) { return link.target }
      }
    }
    return nil
  }
}

/// Reads one link after another and gives up at the first that is not valid.
private struct LinkScanner {
  struct Link {
    var target: String
    var relations = ""
    var hasAnchor = false
  }

  private let bytes: [UInt8]
  private var at = 0

  init(_ header: String) { bytes = Array(header.utf8) }

  mutating func next() -> Link? {
    skip { $0 == UInt8(ascii: ",") || isBlank($0) }
    guard take(UInt8(ascii: "<")) else { return nil }
    var link = Link(target: text { $0 != UInt8(ascii: ">") })
    guard take(UInt8(ascii: ">")) else { return nil }
    var hasRelations = false
    skip { isBlank($0) }
    while take(UInt8(ascii: ";")) {
      skip { isBlank($0) }
      let name = text { isToken($0) }.lowercased()
      let value = parameterValue()
      // Of several the first counts.
      if name == "rel", !hasRelations {
        link.relations = value
        hasRelations = true
      }
      if name == "anchor" { link.hasAnchor = true }
      skip { isBlank($0) }
    }
    guard at == bytes.count || bytes[at] == UInt8(ascii: ",") else { return nil }
    return link
  }

  private mutating func parameterValue() -> String {
    skip { isBlank($0) }
    guard take(UInt8(ascii: "=")) else { return "" }
    skip { isBlank($0) }
    guard take(UInt8(ascii: "\"")) else {
      return text { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: ",") && !isBlank($0) }
    }
    var value: [UInt8] = []
    while at < bytes.count, bytes[at] != UInt8(ascii: "\"") {
      if bytes[at] == UInt8(ascii: "\\"), at + 1 < bytes.count { at += 1 }
      value.append(bytes[at])
      at += 1
    }
    _ = take(UInt8(ascii: "\""))
    return String(decoding: value, as: UTF8.self)
  }

  private mutating func text(while holds: (UInt8) -> Bool) -> String {
    let start = at
    skip(while: holds)
    return String(decoding: bytes[start..<at], as: UTF8.self)
  }

  private mutating func skip(while holds: (UInt8) -> Bool) {
    while at < bytes.count, holds(bytes[at]) { at += 1 }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard at < bytes.count, bytes[at] == byte else { return false }
    at += 1
    return true
  }
}

private func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

private func isToken(_ byte: UInt8) -> Bool {
  !isBlank(byte) && byte != UInt8(ascii: "=") && byte != UInt8(ascii: ";") && byte != UInt8(ascii: ",")
}
