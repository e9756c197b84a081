import Links
import Pages
import Pipeline

/// A page that is an interstitial is no dead link, and not the page either.
enum InterstitialFailure {
  static func of(_ facts: PageFacts, _ document: Document) -> Failure? {
    if let failure = document.failure, failure.kind != .httpStatus { return nil }
    let way = PageArrival.mayEndAtLogin(document.url) ? way(to: document) : nil
    let arrival = PageArrival(
      isError: document.failure != nil, isChallenge: document.note?.isChallenge ?? false, way: way)
    guard let interstitial = InterstitialPage.of(facts, document.body, arrival: arrival) else { return nil }
    return Failure(.blocked, at: .page, "read \(document.url): \(words(for: interstitial))")
  }

  private static func way(to document: Document) -> PageArrival.Way? {
    guard let url = try? WebURL(document.url) else { return nil }
    let start = document.order.job.input.flatMap { try? WebURL.userInput($0) } ?? url
    return PageArrival.Way(
      startHost: start.host.description, startPath: start.path, host: url.host.description, path: url.path)
  }

  private static func words(for interstitial: InterstitialPage) -> String {
    switch interstitial {
    case .bot(let owner):
      "it is a check for bots by \(owner), not the page; open it in a browser"
    case .login:
      "it is a page to log in, not the page; send the cookies of a session with --cookie"
    }
  }
}
