/// Providers of oEmbed, for pages that do not name their endpoint.
///
/// The specification says nothing of what a `*` in a path covers. That of its own example, `/photos/*`, covers
/// `/photos/bees/2341623661/`, so a slash is nothing special there. In a host it stands for sub-domains alone.
public struct OEmbedProviders: Sendable {
  /// Those of the public registry that this program carries.
  public static let registered = OEmbedProviders(table: oEmbedProviderTable)

  /// One address of many.
  private struct Pattern: Sendable {
    /// The least number of labels that come before the host.
    let subdomains: Int
    /// What stands around the wildcards.
    let path: [[UInt8]]
    let endpoint: String
  }

  /// By their hosts without wildcards.
  private var patterns: [String: [Pattern]] = [:]

  /// - Parameter table: Words: an endpoint, the patterns of its pages, the next endpoint, and so on.
  init(table: String) {
    var endpoint = ""
    for word in table.split(whereSeparator: \.isWhitespace) {
      guard !word.hasPrefix("http") else {
        endpoint = String(word)
        continue
      }
      let slash = word.firstIndex(of: "/") ?? word.endIndex
      let labels = word[..<slash].split(separator: ".")
      let subdomains = labels.prefix { $0 == "*" }.count
      patterns[labels.dropFirst(subdomains).joined(separator: "."), default: []].append(
        Pattern(
          subdomains: subdomains,
          path: word[slash...].utf8.split(separator: UInt8(ascii: "*"), omittingEmptySubsequences: false)
            .map(Array.init),
          endpoint: endpoint))
    }
  }

  /// The endpoint for JSON about a page; nil where no provider is known. What is said of the host itself counts before what
  /// is said of the sub-domains of a shorter one, then what comes first.
  ///
  /// - Parameters:
  ///   - host: In lower case.
  ///   - path: With the query, if there is one.
  public func endpoint(host: String, path: String) -> String? {
    let labels = host.split(separator: ".")
    let path = Array(path.utf8)
    for subdomains in labels.indices {
      for pattern in patterns[labels[subdomains...].joined(separator: ".")] ?? []
      where pattern.subdomains <= subdomains && (pattern.subdomains > 0 || subdomains == 0) {
        if Self.matches(path, pattern.path) { return pattern.endpoint }
      }
    }
    return nil
  }

  /// Each part between wildcards is looked for as early as can be, and the last one at the end.
  private static func matches(_ path: [UInt8], _ parts: [[UInt8]]) -> Bool {
    guard path.starts(with: parts[0]), parts.count > 1 else { return path == parts[0] }
    var rest = path.dropFirst(parts[0].count)
    for part in parts.dropFirst().dropLast() {
      // A wildcard stands for something.
      var start = rest.startIndex + 1
      while start + part.count <= rest.endIndex, !rest[start...].starts(with: part) { start += 1 }
      guard start + part.count <= rest.endIndex else { return false }
      rest = rest[(start + part.count)...]
    }
    let last = parts[parts.count - 1]
    return rest.count > last.count && rest.suffix(last.count).elementsEqual(last)
  }
}
