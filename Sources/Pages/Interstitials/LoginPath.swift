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

  /// How each word begins that the rules know behind a slash.
  private static let starts: Set<UInt32> = {
    let words = segments.union(hosts).union(LoginSite.all.flatMap(\.words))
    return Set(words.map { start(of: $0.utf8) })
  }()

  private static func start(of letters: some Sequence<UInt8>) -> UInt32 {
    letters.prefix(3).reduce(0) { $0 << 8 | UInt32($1.lowercased) }
  }

  /// Whether an address is worth a closer look; most are not.
  static func mayBeLogin(_ url: String) -> Bool {
    var rest = url.utf8[...]
    while let slash = rest.firstIndex(of: .slash) {
      rest = rest[rest.index(after: slash)...]
      if starts.contains(start(of: rest)) { return true }
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
