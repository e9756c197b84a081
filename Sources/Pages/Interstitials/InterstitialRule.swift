import Posix

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
