internal import HTTPMessages
package import Links
package import Pipeline

/// What is asked about a link, and how the answer is to be told.
package struct PreviewQuestion: Hashable, Sendable {
  package private(set) var key: PreviewKey
  /// Of the link.
  package private(set) var host = Host.domain("")
  package private(set) var shape: PreviewShape
  package private(set) var timeoutMilliseconds = Self.usualTimeout
  /// The largest thumbnail of an oEmbed response.
  private var mostWidth = Int64.max
  private var mostHeight = Int64.max
  /// What is kept is not good enough.
  package private(set) var wantsNew = false

  private static let longestLink = 8 << 10
  private static let usualTimeout: Int64 = 10_000
  package static let longestTimeout: Int64 = 30_000

  /// How clients of iframely name a token.
  package static let tokenNames: Set = ["api_key", "key"]
  /// What a query can say beside the link.
  private static let ownNames: Set = [
    "lang", "timeout", "wait", "refresh", "format", "group", "maxwidth", "maxheight", "api_key", "key",
    "callback",
  ]

  /// - Parameters:
  ///   - query: As it was sent.
  ///   - namesLink: Whether the link is in it; else `about` has it.
  package init(
    query: String?, kind: JobKind, as shape: PreviewShape, namesLink: Bool = true
  ) throws(Problem) {
    var (link, own): (String?, [String: String]) = (nil, [:])
    var rest = (query ?? "")[...]
    while !rest.isEmpty {
      let part = rest.prefix { $0 != "&" }
      let name = String(part.prefix { $0 != "=" })
      let value = part.dropFirst(name.count + 1)
      let isLink = link == nil && ["url", "uri"].contains(name)
      let isPlain = isLink && value.contains("://")
      let end = isPlain ? Self.endOfLink(rest, as: shape) : part.endIndex
      let text = rest[value.startIndex..<end]
      guard let decoded = isPlain ? String(text) : queryDecoded(text.utf8) else {
        throw Self.wrong("\(isLink ? "the link" : name) is not encoded as a part of a query is")
      }
      if isLink { link = decoded } else { own[name] = decoded }
      rest = rest[end...].dropFirst()
    }
    key = PreviewKey(kind, "", language: own["lang"])
    self.shape = shape
    try take(own)
    if namesLink { try set(link ?? "") }
  }

  /// The same about another link, as a user writes it.
  package func about(_ link: String) throws(Problem) -> PreviewQuestion {
    var other = self
    try other.set(link)
    return other
  }

  /// As the answer is to be told.
  package func shape(for kept: KeptPreview) -> PreviewShape {
    guard shape == .oembed, min(mostWidth, mostHeight) < .max, let size = kept.read.imageSize,
      size.width > mostWidth || size.height > mostHeight
    else { return shape }
    return .oembedWithoutThumbnail
  }

  /// Links that lead to the same request are one.
  private mutating func set(_ link: String) throws(Problem) {
    guard link.utf8.count <= Self.longestLink else {
      throw Problem(.invalidInput, "the link has more than \(Self.longestLink) bytes")
    }
    let url: WebURL
    do throws(LinkError) {
      url = try WebURL.userInput(link)
    } catch .empty {
      throw Problem(.missingInput, "there is no link: say which, as ?url=…")
    } catch .unsupportedScheme(let scheme) {
      throw Problem(.unsupportedScheme, LinkError.unsupportedScheme(scheme).message)
    } catch {
      throw Self.wrong("'\(printableLink(link))': \(error.message)")
    }
    guard url.credentials == nil else {
      throw Self.wrong("the link has a password, and what it shows would be kept for others")
    }
    (key.link, host) = (url.requestURL, url.host)
  }

  private mutating func take(_ own: [String: String]) throws(Problem) {
    if let language = key.language, !LanguageList.isOne(language) {
      throw Self.wrong("lang: '\(language)' \(LanguageList.complaint)")
    }
    if let text = own["timeout"] {
      let number = text.hasSuffix("s") ? text.dropLast() : text[...]
      guard let seconds = Double(number), seconds > 0, seconds * 1_000 <= Double(Self.longestTimeout) else {
        throw Self.wrong("timeout can be more than 0 and up to \(Self.longestTimeout / 1_000) seconds")
      }
      timeoutMilliseconds = max(1, Int64(seconds * 1_000))
    }
    for (name, values) in [("wait", ["0", "1"]), ("refresh", ["0", "1", "false", "true"])] {
      guard let text = own[name], !values.contains(text) else { continue }
      throw Self.wrong("\(name) can be \(values.joined(separator: " or "))")
    }
    if own["wait"] == "0" { timeoutMilliseconds = 0 }
    mostWidth = own["maxwidth"].flatMap { Int64($0) } ?? .max
    mostHeight = own["maxheight"].flatMap { Int64($0) } ?? .max
    wantsNew = ["1", "true"].contains(own["refresh"])
    if shape == .iframelyFlat, ["1", "true"].contains(own["group"]) { shape = .iframelyGrouped }
    if shape == .oembed, let format = own["format"], format != "json" {
      throw Problem("not-implemented", 501, "the format '\(format)' is not served; json is")
    }
  }

  /// Where a link ends that was not encoded: some clients of iframely send all of it behind `url`.
  private static func endOfLink(_ rest: Substring, as shape: PreviewShape) -> Substring.Index {
    // A token is never part of a link, or it would be sent there.
    let own = shape.isIframely ? tokenNames : ownNames
    var end = rest.firstIndex(of: "&")
    while let mark = end {
      let next = rest[rest.index(after: mark)...]
      if own.contains(String(next.prefix { $0 != "=" && $0 != "&" })) { return mark }
      end = next.firstIndex(of: "&")
    }
    return rest.endIndex
  }

  private static func wrong(_ detail: String) -> Problem { Problem(.invalidInput, detail) }
}
