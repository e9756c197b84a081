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

extension CacheNote {
  /// What is said about the answer that a walk ended with; nil when it is not to be kept: not wanted, for one
  /// user alone, incomplete, or a temporary failure of the server.
  init?(for order: JobOrder, _ end: RedirectFollower.End) {
    guard let wish = order.caching, !end.isPrivate else { return nil }
    let status = end.response?.status ?? 0
    guard !StatusRule.passing.contains(status), end.response?.truncated != true else { return nil }
    let (tag, moment) = (end.response?.header("etag"), end.response?.header("last-modified"))
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
