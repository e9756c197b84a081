/// Whether a walk that began elsewhere ended where people log in.
enum LoginPath {
  private static let segments: Set = [
    "login", "log-in", "log_in", "login.php", "login.html", "login.aspx", "login.jsp", "wp-login.php",
    "signin", "sign-in",
    "sign_in", "sign-in.html", "authwall", "sso", "servicelogin", "user_login", "userlogin", "logon",
  ]
  private static let hosts: Set = ["accounts", "auth", "id", "idp", "login", "login2", "signin", "sso"]

  private static let hints = ["log", "sign", "auth", "sso", "account", "//id"].map { Array($0.utf8) }

  /// Whether an address is worth a closer look; most are not.
  static func mayBeLogin(_ url: String) -> Bool {
    let letters = url.utf8.map(\.lowercased)
    return letters.indices.contains { index in
      switch letters[index] {
      case UInt8(ascii: "l"), UInt8(ascii: "s"), UInt8(ascii: "a"), .slash:
        hints.contains { letters[index...].starts(with: $0) }
      default: false
      }
    }
  }

  static func isLogin(_ way: PageVisit.Way) -> Bool {
    guard !named(way.startHost, way.startPath) else { return false }
    guard way.host != way.startHost || way.path != way.startPath else { return false }
    return named(way.host, way.path)
  }

  private static func named(_ host: String, _ path: String) -> Bool {
    let words = path.lowercased().split(separator: "/").map(String.init)
    if words.suffix(3).contains(where: segments.contains) { return true }
    return hosts.contains(String(host.lowercased().prefix { $0 != "." }))
  }
}
