/// Keeps pages of other sites from changing anything through a user's browser, by the rule of Go's
/// `CrossOriginProtection`.
public enum CrossSiteRule {
  public static func allows(_ head: RequestHead) -> Bool {
    switch head.method {
    case .get, .head, .options: true
    case .post, .put, .patch, .delete, .other:
      isFromHere(site: head["sec-fetch-site"], origin: head["origin"], host: head["host"])
    }
  }

  static func isFromHere(site: String?, origin: String?, host: String?) -> Bool {
    if let site { return site == "same-origin" || site == "none" }
    // Browsers always send one of the two. Over plain HTTP they send `Sec-Fetch-Site` to loopback only.
    guard let origin else { return true }
    let parts = origin.split(separator: "://", maxSplits: 1)
    return parts.count == 2 && parts[1].lowercased() == host?.lowercased()
  }
}
