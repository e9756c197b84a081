import Links
package import Pipeline

/// What is said to some hosts alone, however a walk comes there, and to no other.
package struct HostRequests: Sendable {
  /// How to introduce ourselves there.
  package var userAgents = HostTable<String>()
  /// Headers that stand for all others of their names.
  package var headers = HostTable<[HeaderField]>()

  var isEmpty: Bool { userAgents.isEmpty && headers.isEmpty }

  /// Puts what is for a URL's host into a request. Headers may be secrets: where a walk began with https they do not go
  /// over http.
  ///
  /// - Parameter first: Of the URL that the walk began with.
  /// - Returns: Whether the request has headers that are for the host alone.
  func apply(to fields: inout [HeaderField], for url: WebURL, walkingFrom first: Scheme) -> Bool {
    let key = url.hostKey
    let isExposed = first == .https && url.scheme == .http
    let own = isExposed ? [] : headers.value(host: key) ?? []
    var more = own
    if let agent = userAgents.value(host: key), !own.contains(where: { $0.isNamed("User-Agent") }) {
      more.append(HeaderField("User-Agent", agent))
    }
    fields.removeAll { field in more.contains { $0.isNamed(field.name) } }
    fields += more
    return !own.isEmpty
  }

  /// The name under which rules of an origin are looked up; nil for the default.
  func product(for origin: Origin) -> ProductToken? {
    userAgents.value(host: origin.host.description).map { ProductToken(userAgent: $0) }
  }
}

extension FetchRequest {
  /// Asks for the resource only if it has changed, when it is the one that is known already (RFC 9110, section 13).
  ///
  /// - Returns: Whether it does; then a 304 means that it has not.
  mutating func asksForChanges(since known: Validators?) -> Bool {
    guard let known, known.url == url else { return false }
    if let tag = known.entityTag { headers.append(HeaderField("If-None-Match", tag)) }
    if let moment = known.lastModified { headers.append(HeaderField("If-Modified-Since", moment)) }
    return true
  }
}

extension FetchResponse {
  /// Whether the server chose it by more than the key of a cached answer tells apart (`Vary`, RFC 9110, section 12.5.5).
  ///
  /// What all requests have in common, what the settings say and the job's language are in that key. Other headers are
  /// never sent, or keep an answer from being cached at all. That leaves what no header tells, and the walk's cookies.
  func variesBeyondKey(of request: FetchRequest) -> Bool {
    headers.contains { field in
      field.isNamed("vary")
        && field.value.split(separator: ",").contains { part in
          let name = part.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" }
          return name == "*" || !request.cookies.isEmpty && name.lowercased() == "cookie"
        }
    }
  }
}

extension CacheNote {
  /// What is said about the answer that a walk ended with; nil when it is not to be kept: not wanted, for one
  /// user alone, incomplete, chosen by what others do not send, or a temporary failure of the server.
  init?(for order: JobOrder, _ end: RedirectFollower.End) {
    guard let wish = order.caching, !end.isPrivate else { return nil }
    let status = end.response?.status ?? 0
    guard !StatusRule.passing.contains(status), end.response?.truncated != true else { return nil }
    let (tag, moment) = (end.response?.header("etag"), end.response?.header("last-modified"))
    guard end.isUnchanged || !end.varies else { return nil }
    guard !end.isUnchanged else {
      let known = wish.known
      self.init(
        validators: known.flatMap {
          Validators(
            url: $0.url, entityTag: tag ?? $0.entityTag, lastModified: moment ?? $0.lastModified)
        }, isUnchanged: true)
      return
    }
    let isOfUse = (200..<300).contains(status)
    self.init(
      isOfFailure: status >= 400,
      validators: isOfUse
        ? end.url.flatMap { Validators(url: $0.requestURL, entityTag: tag, lastModified: moment) } : nil)
  }
}

extension ResponseNote {
  /// One look at each header: this is done for every page.
  ///
  /// - Parameter wantsLinks: Whether the job follows Link headers.
  init?(of response: FetchResponse, wantsLinks: Bool) {
    var (disposition, language): (String?, String?)
    var length: UInt64?
    var (isCoded, isChallenge) = (false, false)
    var links: [String] = []
    for header in response.headers {
      switch header.name.utf8.count {
      case 4 where wantsLinks && header.isNamed("link"): links.append(header.value)
      case 12 where header.isNamed("cf-mitigated"):
        isChallenge = isChallenge || header.value.lowercased() == "challenge"
      case 14 where header.isNamed("content-length"): length = length ?? UInt64(header.value)
      case 16 where header.isNamed("content-encoding"): isCoded = true
      case 16 where header.isNamed("content-language") && !header.value.isEmpty:
        language = language ?? header.value
      case 17 where header.isNamed("x-amzn-waf-action"):
        isChallenge = isChallenge || ["captcha", "challenge"].contains(header.value.lowercased())
      case 19 where header.isNamed("content-disposition"): disposition = disposition ?? header.value
      default: break
      }
    }
    self.init(
      disposition: disposition, language: language, length: isCoded ? nil : length, isChallenge: isChallenge,
      links: links)
  }
}
