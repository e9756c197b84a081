/// Whether a walk that began elsewhere ended where people log in.
enum LoginPath {
  private static let segments: Set = [
    "login", "log-in", "log_in", "login.php", "login.html", "login.aspx", "login.jsp", "wp-login.php",
    "signin", "sign-in",
    "sign_in", "sign-in.html", "authwall", "sso", "servicelogin", "user_login", "userlogin", "logon",
  ]
  private static let hosts: Set = ["accounts", "auth", "id", "idp", "login", "login2", "signin", "sso"]

  static func isLogin(_ visit: PageVisit) -> Bool {
    guard !named(visit.startHost, visit.startPath) else { return false }
    guard visit.host != visit.startHost || visit.path != visit.startPath else { return false }
    return named(visit.host, visit.path)
  }

  private static func named(_ host: String, _ path: String) -> Bool {
    let words = path.lowercased().split(separator: "/").map(String.init)
    if words.suffix(3).contains(where: segments.contains) { return true }
    return hosts.contains(String(host.lowercased().prefix { $0 != "." }))
  }
}
