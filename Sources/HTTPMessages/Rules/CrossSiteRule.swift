/// Keeps pages of other sites from changing anything in a browser's name, as Go's `CrossOriginProtection` does.
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
    // No browser leaves out both. Over plain HTTP they leave out the first unless the host is this machine.
    guard let origin else { return true }
    let parts = origin.split(separator: "://", maxSplits: 1)
    return parts.count == 2 && parts[1].lowercased() == host?.lowercased()
  }
}
