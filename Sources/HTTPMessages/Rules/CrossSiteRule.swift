/// Keeps pages of other sites from changing anything through a user's browser, by the rule of Go's
/// `CrossOriginProtection`.
public enum CrossSiteRule {
  public static func allows(_ head: RequestHead) -> Bool {
    switch head.method {
    case .get, .head, .options: return true
    case .post, .put, .patch, .delete, .other: break
    }
    if let site = head["sec-fetch-site"] { return site == "same-origin" || site == "none" }
    // Browsers always send one of the two. Over plain HTTP they send `Sec-Fetch-Site` to loopback only.
    guard let parts = head["origin"]?.split(separator: "://", maxSplits: 1) else { return true }
    return parts.count == 2 && parts[1].lowercased() == head["host"]?.lowercased()
  }
}
