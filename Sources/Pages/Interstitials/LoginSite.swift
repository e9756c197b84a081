/// A site that sends visitors to log in on pages whose forms scripts draw: their addresses alone tell.
struct LoginSite: Sendable {
  private let hosts: [String]
  /// How the paths begin, by whole segments; an empty one is any path.
  private let paths: [[String]]
  /// Its start page is only for logging in.
  private let isForLogins: Bool

  private init(_ hosts: String..., at paths: [String], isForLogins: Bool = false) {
    self.hosts = hosts
    self.paths = paths.map { $0.split(separator: "/").map(String.init) }
    self.isForLogins = isForLogins
  }

  /// Both in lower case; a site's rules hold for what is below its hosts too.
  func asksToLogIn(at host: String, _ path: [String]) -> Bool {
    has(host) && paths.contains { path.starts(with: $0) }
  }

  /// Whether an address, in lower case, is all that one who wants to log in there has to know.
  func begins(at host: String, _ path: [String]) -> Bool { isForLogins && path.isEmpty && has(host) }

  private func has(_ host: String) -> Bool {
    hosts.contains { host == $0 || host.hasSuffix("." + $0) }
  }

  /// Of each kind of address one that it has behind a slash.
  var words: [String] { paths.flatMap { path in path.last.map { [$0] } ?? hosts } }

  static let all = [
    LoginSite(
      "accounts.google.com",
      at: [
        "servicelogin", "servicelogin.html", "serviceloginauth", "signin", "v3/signin", "accountchooser",
        "interactivelogin", "o/oauth2", "o/saml2",
      ], isForLogins: true),
    LoginSite(
      "login.microsoftonline.com", "login.microsoft.com", "login.windows.net", "login.live.com",
      "login.yahoo.com", at: [""]),
    LoginSite("facebook.com", at: ["login", "login.php", "checkpoint"]),
    LoginSite("instagram.com", at: ["accounts/login"]),
    LoginSite("threads.net", "threads.com", at: ["login"]),
    LoginSite("linkedin.com", at: ["login", "authwall", "uas/login", "checkpoint"]),
    LoginSite("x.com", "twitter.com", at: ["login", "i/flow/login"]),
    LoginSite("reddit.com", at: ["login", "account/login"]),
    LoginSite("tiktok.com", "pinterest.com", "tumblr.com", "discord.com", at: ["login"]),
    LoginSite("medium.com", at: ["m/signin"]),
    LoginSite("slack.com", at: ["signin", "workspace-signin"]),
    LoginSite("notion.so", "notion.com", "figma.com", "dropbox.com", "canva.com", at: ["login"]),
    LoginSite("id.atlassian.com", at: ["login"], isForLogins: true),
    LoginSite("okta.com", "oktapreview.com", at: ["login", "signin", "oauth2"], isForLogins: true),
    LoginSite("auth0.com", at: ["login", "u/login", "authorize"], isForLogins: true),
    LoginSite("appleid.apple.com", at: ["auth"], isForLogins: true),
    LoginSite(
      "amazon.com", "amazon.co.uk", "amazon.de", "amazon.fr", "amazon.it", "amazon.es", "amazon.in",
      "amazon.co.jp", "amazon.ca", at: ["ap/signin"]),
    LoginSite("vk.com", "zhihu.com", at: ["login", "signin"]),
    LoginSite("passport.weibo.com", at: [""]),
  ]
}
