internal import HTTPMessages
internal import Links
package import Pipeline

/// What is asked about one link, and how the answer is to be told.
package struct PreviewQuestion: Hashable, Sendable {
  package var key: PreviewKey
  package var shape: PreviewShape
  package var timeoutMilliseconds: Int64
  /// What is kept is not good enough.
  package var wantsNew = false

  private static let longestLink = 8 << 10
  package static let usualTimeout: Int64 = 10_000
  package static let longestTimeout: Int64 = 30_000

  /// What a query can say beside the link.
  private static let ownNames: Set = [
    "lang", "timeout", "wait", "refresh", "format", "group", "maxwidth", "maxheight", "api_key", "key",
    "callback",
  ]

  /// - Parameters:
  ///   - query: As it was sent.
  ///   - takesRest: Whatever stands behind a link that was not encoded is a part of it, as some clients of iframely send it.
  package init(
    query: String?, kind: JobKind, as shape: PreviewShape, takesRest: Bool = false
  ) throws(Problem) {
    var (link, own): (String?, [String: String]) = (nil, [:])
    var rest = (query ?? "")[...]
    while !rest.isEmpty {
      let part = rest.prefix { $0 != "&" }
      let name = String(part.prefix { $0 != "=" })
      let value = part.dropFirst(name.count + 1)
      if link == nil, ["url", "uri"].contains(name) {
        let isPlain = value.contains("://")
        let end = isPlain ? Self.endOfLink(rest, takesRest: takesRest) : part.endIndex
        let text = rest[value.startIndex..<end]
        link = isPlain ? String(text) : percentDecoded(text.utf8, plusIsSpace: true)
        guard link != nil else { throw Self.wrong("the link is not encoded as a part of a query is") }
        rest = rest[end...].dropFirst()
      } else {
        guard let decoded = percentDecoded(value.utf8, plusIsSpace: true) else {
          throw Self.wrong("\(name) is not encoded as a part of a query is")
        }
        own[name] = decoded
        rest = rest[part.endIndex...].dropFirst()
      }
    }
    guard let link else {
      throw Problem(.missingInput, "there is no link: say which, as ?url=…", status: 400)
    }
    try self.init(link: link, kind: kind, as: shape, language: own["lang"])
    try take(own)
  }

  /// - Parameter link: As a user writes it.
  package init(
    link text: String, kind: JobKind, as shape: PreviewShape, language: String? = nil
  ) throws(Problem) {
    guard text.utf8.count <= Self.longestLink else {
      throw Problem(.invalidInput, "the link has more than \(Self.longestLink) bytes")
    }
    if let language, !LanguageList.isOne(language) {
      throw Self.wrong("lang: '\(language)' \(LanguageList.complaint)")
    }
    key = PreviewKey(kind, Self.canonical(text), language: language)
    (self.shape, timeoutMilliseconds) = (shape, Self.usualTimeout)
  }

  private mutating func take(_ own: [String: String]) throws(Problem) {
    if let text = own["timeout"] {
      let number = text.hasSuffix("s") ? text.dropLast() : text[...]
      guard let seconds = Double(number), seconds > 0, seconds * 1_000 <= Double(Self.longestTimeout) else {
        throw Self.wrong("timeout can be more than 0 and up to \(Self.longestTimeout / 1_000) seconds")
      }
      timeoutMilliseconds = max(1, Int64(seconds * 1_000))
    }
    if own["wait"] == "0" { timeoutMilliseconds = 0 }
    wantsNew = ["1", "true"].contains(own["refresh"])
    if shape == .iframelyFlat, ["1", "true"].contains(own["group"]) { shape = .iframelyGrouped }
    if shape == .oembed, let format = own["format"], format != "json" {
      throw Problem("not-implemented", 501, "the format '\(format)' is not served; json is")
    }
  }

  /// Where a link ends that was not encoded.
  private static func endOfLink(_ rest: Substring, takesRest: Bool) -> Substring.Index {
    // A token is never part of a link, or it would be sent there.
    let own = takesRest ? ["api_key", "key"] : ownNames
    var end = rest.firstIndex(of: "&")
    while let mark = end {
      let next = rest[rest.index(after: mark)...]
      if own.contains(String(next.prefix { $0 != "=" && $0 != "&" })) { return mark }
      end = next.firstIndex(of: "&")
    }
    return rest.endIndex
  }

  /// Links that lead to the same request are one. What is no link is kept as it is: its row says what is wrong with it.
  private static func canonical(_ text: String) -> String {
    guard let url = try? WebURL.userInput(text), url.credentials == nil else { return text }
    return url.href
  }

  private static func wrong(_ detail: String) -> Problem { Problem(.invalidInput, detail) }
}
