import Posix

/// What stands in front of a page and was sent instead of it.
public enum InterstitialPage: Hashable, Sendable {
  /// A check for bots, by whose it is.
  case bot(String)
  /// A page to log in, where the link led somewhere else.
  case login
}

/// How a page was reached, as far as that identifies interstitials.
public struct PageArrival: Sendable {
  /// Whether the status was an error's.
  public var isError: Bool
  /// Whether a header of the response says that it is a challenge.
  public var isChallenge: Bool
  /// nil where nothing about the address is like a login.
  public var way: Way?

  /// From the link to where the page was.
  public struct Way: Sendable {
    public var startHost: String
    public var startPath: String
    public var host: String
    public var path: String

    public init(startHost: String, startPath: String, host: String, path: String) {
      (self.startHost, self.startPath, self.host, self.path) = (startHost, startPath, host, path)
    }
  }

  public init(isError: Bool, isChallenge: Bool, way: Way?) {
    (self.isError, self.isChallenge, self.way) = (isError, isChallenge, way)
  }

  /// Whether the way to an address is worth knowing; with most addresses it is not.
  public static func mayEndAtLogin(_ url: String) -> Bool { LoginPath.mayBeLogin(url) }
}

extension InterstitialPage {
  /// Interstitials are short; of longer pages the start is looked at.
  private static let searchedBytes = 256 << 10
  /// Of text: a page to read that has a form in its margin shows more.
  private static let longestLogin = 3_000

  /// The interstitial that a page is; nil for a page that only speaks of one.
  public static func of(_ facts: PageFacts, _ body: [UInt8], arrival: PageArrival) -> InterstitialPage? {
    guard facts.isPage else { return nil }
    if arrival.isChallenge { return .bot("the site") }
    let body = body.span.extracting(first: searchedBytes)
    let title = facts.titleSource == .title ? facts.title : nil
    if arrival.isError || title.map(InterstitialRule.mayKnow) ?? true, let owner = owner(title, arrival, body)
    {
      return .bot(owner)
    }
    switch arrival.way.flatMap(LoginPath.sign) {
    case nil: return nil
    case .site: return .login
    case .word:
      let text = PageText(body)
      return text.asksForPassword && text.bytes <= longestLogin ? .login : nil
    }
  }

  private static func owner(_ title: String?, _ arrival: PageArrival, _ body: Span<UInt8>) -> String? {
    let title = title.map(InterstitialRule.plainTitle)
    return InterstitialRule.all.first { $0.matches(title: title, isError: arrival.isError, body) }?.owner
  }
}

/// Recognises the interstitial of one maker, and not pages that merely mention it or use it in a form.
///
/// A rule needs two witnesses: a title or the want of one, or an error status, and what only the interstitial's own markup has.
struct InterstitialRule: Sendable {
  let owner: String
  /// Titles without dots at their ends, in lower case; empty when the title tells nothing.
  var titles: Set<String> = []
  /// Whether it only counts with an error status.
  var needsError = false
  /// Whether it only counts where no title is shown.
  var isUntitled = false
  /// Of each group the page's markup has one.
  var marks: [[String]]
  /// The most text, in bytes, that it shows; interstitials have nothing to read.
  var mostText = Int.max

  func matches(title: String?, isError: Bool, _ body: Span<UInt8>) -> Bool {
    if needsError && !isError || isUntitled && title != nil { return false }
    if !titles.isEmpty {
      guard let title, titles.contains(title) || continues(title) else { return false }
    }
    let hasMarks = marks.allSatisfy { group in group.contains { body.firstIndex(of: $0, from: 0) != nil } }
    return hasMarks && (mostText == .max || PageText(body).bytes <= mostText)
  }

  /// Titles that go on with the name of a site.
  private static let separators = [" | ", " - ", " – "]

  private static let knownTitles = all.reduce(into: Set<String>()) { $0.formUnion($1.titles) }
  private static let knownStarts = Set(knownTitles.map { start(of: $0) })
  private static let longestTitle = knownTitles.reduce(0) { max($0, $1.utf8.count) } + 8

  /// Whether a rule may know a title; most are known by none, which their first letters tell.
  static func mayKnow(title: String) -> Bool {
    title.utf8.count <= longestTitle && knownStarts.contains(start(of: title))
  }

  private static func start(of title: String) -> UInt64 {
    title.utf8.prefix(6).reduce(0) { $0 << 8 | UInt64($1.lowercased) }
  }

  /// Whether the title begins with a known one; only an error's is believed then.
  private func continues(_ title: String) -> Bool {
    needsError && titles.contains { known in Self.separators.contains { title.hasPrefix(known + $0) } }
  }

  static func plainTitle(_ title: String) -> String {
    var title = Substring(title.lowercased())
    while let last = title.last, ".… !".contains(last) { title.removeLast() }
    return String(title)
  }

  static let all = [
    InterstitialRule(
      owner: "Cloudflare",
      titles: [
        "just a moment", "attention required! | cloudflare", "please wait... | cloudflare", "access denied",
      ],
      marks: [["_cf_chl_opt", "cf-browser-verification", "cf-challenge", "cf-error-details", "cf_chl_"]]),
    InterstitialRule(
      owner: "Cloudflare", titles: ["access denied", "attention required!"], needsError: true,
      marks: [["cf-error-details"]]),
    InterstitialRule(
      owner: "Cloudflare", needsError: true,
      marks: [["window._cf_chl_opt"], ["/cdn-cgi/challenge-platform/"]]),
    InterstitialRule(
      owner: "DataDome", needsError: true, marks: [["captcha-delivery.com/"], ["var dd={", "var dd = {"]],
      mostText: 2_000),
    InterstitialRule(
      owner: "HUMAN (PerimeterX)",
      titles: [
        "access to this page has been denied",
        "access to this page has been denied because we believe you are using automation tools to browse the website",
        "robot or human?", "human verification", "pardon our interruption",
      ],
      marks: [["px-captcha", "px-cdn.net", "_pxAppId"]]),
    InterstitialRule(
      owner: "Imperva", isUntitled: true,
      marks: [["_Incapsula_Resource"], ["Incapsula incident ID", "incident_id=", "main-iframe"]],
      mostText: 2_000),
    InterstitialRule(
      owner: "Imperva", titles: ["pardon our interruption"],
      marks: [["/_Incapsula_Resource", "distil", "onProtectionInitialized", "reese84"]]),
    InterstitialRule(
      owner: "Akamai", titles: ["access denied"], needsError: true,
      marks: [
        ["have permission to access"], ["Reference&#32;&#35;", "Reference #", "errors.edgesuite.net"],
      ],
      mostText: 2_000),
    InterstitialRule(
      owner: "AWS WAF", isUntitled: true, marks: [["window.gokuProps"], ["challenge.js", "captcha.js"]],
      mostText: 2_000),
    InterstitialRule(
      owner: "Google", needsError: true,
      marks: [["unusual traffic from your computer network"], ["/sorry/", "captcha-form"]],
      mostText: 3_000),
    InterstitialRule(
      owner: "Amazon", titles: ["robot check", "amazon.com", "amazon.co.uk", "amazon.de"],
      marks: [["/errors/validateCaptcha"]], mostText: 2_000),
    InterstitialRule(
      owner: "the site",
      titles: [
        "are you a robot?", "are you a robot", "are you human?", "bot verification", "captcha",
        "checking your browser",
        "human verification", "one more step", "please verify you are a human", "please verify you are human",
        "robot check",
        "security check", "verify you are human", "verifying you are human", "verification required",
      ],
      marks: [
        [
          "g-recaptcha", "recaptcha/api.js", "recaptcha/enterprise.js", "h-captcha", "hcaptcha.com/1/api.js",
          "cf-turnstile",
        ]
      ],
      mostText: 1_500),
  ]
}

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

/// How much a page shows, and what it asks for.
struct PageText {
  /// Of text outside scripts, styles and titles, white space left out.
  private(set) var bytes = 0
  private(set) var asksForPassword = false

  private static let input = ElementCode("input")

  init(_ page: Span<UInt8>) {
    var tokenizer = Tokenizer()
    while true {
      switch tokenizer.next(in: page, markup: .html, allowsCDATA: false) {
      case .text(let range, _):
        for index in range where !page[index].isHTMLSpace { bytes += 1 }
      case .startTag(.void) where tokenizer.tagName == Self.input:
        let type = tokenizer.value(of: .type).map { page.trimmed($0) }
        if page.spells("password", in: type) { asksForPassword = true }
      case .startTag(let name) where name.holdsRawText: _ = tokenizer.rawText(of: name, in: page)
      case .startTag, .endTag: break
      case .end: return
      }
    }
  }
}
