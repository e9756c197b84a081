import Posix

/// Whether a walk that began elsewhere ended where people log in.
enum LoginPath {
  /// What an address says about itself.
  enum Sign {
    /// A word that other pages may have in their addresses too.
    case word
    /// One of a site's own places to log in.
    case site
  }

  private static let segments: Set = [
    "login", "log-in", "log_in", "login.php", "login.html", "login.aspx", "login.jsp", "wp-login.php",
    "signin", "sign-in",
    "sign_in", "sign-in.html", "authwall", "sso", "servicelogin", "user_login", "userlogin", "logon",
  ]
  private static let hosts: Set = ["accounts", "auth", "idp", "login", "login2", "signin", "sso"]

  private static let words = segments.union(hosts).union(LoginSite.all.flatMap(\.words))

  /// How each word begins that the rules know behind a slash.
  private static let starts = Set(words.map { start(of: $0.utf8.span, from: 0) })

  /// The first letters of those, a bit each.
  private static let firstLetters = words.reduce(UInt32(0)) { $0 | bit(of: $1.utf8.first ?? 0) }

  private static func start(of text: Span<UInt8>, from first: Int) -> UInt32 {
    var start: UInt32 = 0
    for index in first..<min(first + 3, text.count) { start = start << 8 | UInt32(text[index].lowercased) }
    return start
  }

  private static func bit(of letter: UInt8) -> UInt32 { 1 << UInt32(letter & 31) }

  /// Whether an address is worth a closer look; most are not.
  static func mayBeLogin(_ url: String) -> Bool {
    let text = url.utf8.span
    var slash = text.firstIndex(of: .slash, from: 0)
    while slash + 1 < text.count {
      if firstLetters & bit(of: text[slash + 1]) != 0, starts.contains(start(of: text, from: slash + 1)) {
        return true
      }
      slash = text.firstIndex(of: .slash, from: slash + 1)
    }
    return false
  }

  static func sign(of way: PageArrival.Way) -> Sign? {
    guard sign(way.startHost, way.startPath) == nil, !wantsLogin(way) else { return nil }
    guard way.host != way.startHost || way.path != way.startPath else { return nil }
    return sign(way.host, way.path)
  }

  /// Whether the site was asked for that it ended at, and is for nothing else.
  private static func wantsLogin(_ way: PageArrival.Way) -> Bool {
    let (host, path) = (way.startHost.lowercased(), way.startPath.split(separator: "/").map(String.init))
    return host == way.host.lowercased() && LoginSite.all.contains { $0.begins(at: host, path) }
  }

  private static func sign(_ host: String, _ path: String) -> Sign? {
    let host = host.lowercased()
    let words = path.lowercased().split(separator: "/").map(String.init)
    if LoginSite.all.contains(where: { $0.asksToLogIn(at: host, words) }) { return .site }
    if words.suffix(3).contains(where: segments.contains) { return .word }
    return hosts.contains(String(host.prefix { $0 != "." })) ? .word : nil
  }
}
