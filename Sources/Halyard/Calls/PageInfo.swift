internal import JSONQuery

/// What a page says of itself.
public struct PageInfo: Hashable, Sendable {
  /// The way to the page.
  public var resolved: Resolved
  public var title: String
  /// What gave the title, such as `title` or `og`.
  public var source: String
  public var card: Card

  /// Where the page is.
  public var url: String { resolved.url }

  /// For fakes, such as those of tests; the client makes its own.
  public init(resolved: Resolved, title: String, source: String = "title", card: Card = Card()) {
    self.resolved = resolved
    self.title = title
    self.source = source
    self.card = card
  }
}

extension PageInfo {
  init(_ row: AnswerRow) throws(HalyardError) {
    resolved = Resolved(row)
    guard let title = row["title"]?.string else { throw row.unreadable("there is no title in it") }
    self.title = title
    source = row["title_source"]?.string ?? ""
    card = row["card"].map { Card($0) } ?? Card()
  }
}
