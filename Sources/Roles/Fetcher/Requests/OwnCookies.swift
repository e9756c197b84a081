import Links
import Pipeline

/// The cookies that the user gave: one that the site sets itself, or takes away, is not sent there any more.
struct OwnCookies {
  private struct Replaced: Hashable {
    var name: String
    /// It counts for this host and those below it.
    var domain: Substring
  }

  private var replaced: Set<Replaced> = []

  var isEmpty: Bool { replaced.isEmpty }

  /// - Parameter lines: What the site has set by now, in the form of Netscape's cookie file.
  mutating func yield(to lines: [String]) {
    for line in lines {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
      guard fields.count > Self.nameField else { continue }
      let domain =
        fields[0].hasPrefix(Self.hiddenMark) ? fields[0].dropFirst(Self.hiddenMark.count) : fields[0]
      replaced.insert(
        Replaced(
          name: String(fields[Self.nameField]), domain: domain.first == "." ? domain.dropFirst() : domain))
    }
  }

  /// A cookie that was never set by the site leaves no line where it is taken away.
  mutating func yield(toRemovalsIn setCookies: [String], of host: String) {
    for text in setCookies {
      let parts = text.split(separator: ";", omittingEmptySubsequences: false).map { $0.trimmed }
      let (name, value) = Self.pair(parts[0])
      let isOver = parts.dropFirst().contains { part in
        let (attribute, seconds) = Self.pair(part)
        return attribute.lowercased() == "max-age" && (Int(seconds) ?? 1) <= 0
      }
      if value.isEmpty || isOver {
        replaced.insert(Replaced(name: String(name), domain: Self.domain(of: host)))
      }
    }
  }

  /// The header without what was replaced on a host; nil when nothing is left.
  func header(_ header: HeaderField, for host: String) -> HeaderField? {
    guard header.isNamed("cookie"), !replaced.isEmpty else { return header }
    let host = Self.domain(of: host)
    let gone = Set(replaced.lazy.filter { host == $0.domain || host.hasSuffix(".\($0.domain)") }.map(\.name))
    let left = header.value.split(separator: ";").map { $0.trimmed }
      .filter { !gone.contains(String(Self.pair($0).name)) }
    return left.isEmpty ? nil : HeaderField(header.name, left.joined(separator: "; "))
  }

  func add(to hash: inout StableHash) {
    for entry in replaced.map({ "\($0.domain) \($0.name)" }).sorted() { hash.add(entry) }
  }

  private static let nameField = 5
  /// In front of the domain of a cookie that scripts do not see.
  private static let hiddenMark = "#HttpOnly_"

  /// IPv6 has no brackets there.
  private static func domain(of host: String) -> Substring {
    host.first == "[" ? host.dropFirst().dropLast() : host[...]
  }

  private static func pair(_ text: Substring) -> (name: Substring, value: Substring) {
    guard let equals = text.firstIndex(of: "=") else { return ("", text) }
    return (text[..<equals].trimmed, text[text.index(after: equals)...].trimmed)
  }
}

extension Substring {
  fileprivate var trimmed: Substring {
    trimming(while: \.isWhitespace)
  }
}
