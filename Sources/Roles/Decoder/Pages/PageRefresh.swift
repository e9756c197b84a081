import Links
import Pages
import Pipeline

/// What a page's meta refresh means for the walk that ended there.
enum PageRefresh {
  case none
  /// It waits too long to be followed.
  case later(LaterRefresh)
  case leadsOn(Continuation)

  /// Reads only what the fetcher thinks may hold one.
  static func read(in document: Document, while time: ReadingTime) -> PageRefresh {
    guard var continuation = document.continuation, let page = try? WebURL(document.url) else { return .none }
    let facts = PageReader(readsOnForRefresh: true).read(
      document.body, contentType: document.contentType, url: document.url, isOverdue: { time.isOver },
      resolve: { reference, base in
        (try? WebURL(base)).flatMap { try? WebURL(reference, relativeTo: $0) }?.href
      })
    let base = facts.baseHref.flatMap { try? WebURL($0) } ?? page
    guard let refresh = facts.refresh.flatMap(Refresh.init),
      let target = refresh.target(from: page, base: base)
    else { return .none }
    guard refresh.isFollowed else {
      return .later(LaterRefresh(seconds: refresh.seconds, url: target.href))
    }
    continuation.url = target.href
    return .leadsOn(continuation)
  }
}
