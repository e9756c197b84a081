import Links

/// What the loop rule has to know of a job's cookies.
enum CookieState {
  /// A hash of all but their expiry, which moves with the time; 0 without cookies.
  ///
  /// - Parameter lines: In the form of Netscape's cookie file: domain, subdomains, path, secure, expiry, name, value.
  static func token(of lines: [String]) -> UInt64 {
    guard !lines.isEmpty else { return 0 }
    var hash = StableHash()
    for line in lines.sorted() {
      for (place, field) in line.split(separator: "\t", omittingEmptySubsequences: false).enumerated()
      where place != expiry {
        hash.add(String(field))
      }
    }
    return hash.value
  }

  private static let expiry = 4
}
