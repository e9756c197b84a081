import Links
import Pages
import Pipeline

/// A page that is a wall is no dead link, and not the page either.
enum InterstitialFailure {
  static func of(_ facts: PageFacts, _ document: Document) -> Failure? {
    if let failure = document.failure, failure.kind != .httpStatus { return nil }
    let way = PageVisit.mayEndAtLogin(document.url) ? way(to: document) : nil
    let visit = PageVisit(
      isError: document.failure != nil, isChallenge: document.note?.isChallenge ?? false, way: way)
    guard let wall = InterstitialPage.of(facts, document.body, visit: visit) else { return nil }
    return Failure(.blocked, at: .page, "read \(document.url): \(words(for: wall))")
  }

  private static func way(to document: Document) -> PageVisit.Way? {
    guard let url = try? WebURL(document.url) else { return nil }
    let start = document.order.job.input.flatMap { try? WebURL.userInput($0) } ?? url
    return PageVisit.Way(
      startHost: start.host.description, startPath: start.path, host: url.host.description, path: url.path)
  }

  private static func words(for wall: InterstitialPage) -> String {
    switch wall {
    case .bot(let owner):
      "it is a check for bots by \(owner), not the page; open it in a browser"
    case .login:
      "it is a page to log in, not the page; send the cookies of a session with --cookie"
    }
  }
}
