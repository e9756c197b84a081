import Pipeline

/// The cookies that the user gave: one that the site sets itself, or takes away, is not sent any more.
struct OwnCookies {
  private(set) var replaced: Set<String> = []

  /// - Parameter lines: What the site has set by now, in the form of Netscape's cookie file.
  mutating func yield(to lines: [String]) {
    for line in lines {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
      if fields.count > Self.nameField { replaced.insert(String(fields[Self.nameField])) }
    }
  }

  /// A cookie that was never set by the site leaves no line where it is taken away.
  mutating func yield(toRemovalsIn setCookies: [String]) {
    for text in setCookies {
      let parts = text.split(separator: ";", omittingEmptySubsequences: false).map { $0.trimmed }
      let (name, value) = Self.pair(parts[0])
      let isOver = parts.dropFirst().contains { part in
        let (attribute, seconds) = Self.pair(part)
        return attribute.lowercased() == "max-age" && (Int(seconds) ?? 1) <= 0
      }
      if value.isEmpty || isOver { replaced.insert(String(name)) }
    }
  }

  /// The header without what was replaced; nil when nothing is left.
  func header(_ header: HeaderField) -> HeaderField? {
    guard header.isNamed("cookie"), !replaced.isEmpty else { return header }
    let left = header.value.split(separator: ";").map { $0.trimmed }
      .filter { !replaced.contains(String(Self.pair($0).name)) }
    return left.isEmpty ? nil : HeaderField(header.name, left.joined(separator: "; "))
  }

  private static let nameField = 5

  private static func pair(_ text: Substring) -> (name: Substring, value: Substring) {
    guard let equals = text.firstIndex(of: "=") else { return ("", text) }
    return (text[..<equals].trimmed, text[text.index(after: equals)...].trimmed)
  }
}

extension Substring {
  fileprivate var trimmed: Substring {
    let start = drop { $0.isWhitespace }
    return start.lastIndex { !$0.isWhitespace }.map { start[...$0] } ?? ""
  }
}
