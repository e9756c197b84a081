import Links
import Pipeline

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
