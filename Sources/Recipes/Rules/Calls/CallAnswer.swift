public import JSONQuery

/// What came back from a call: what a step's rules need to know of it.
public struct CallResponse: Sendable {
  /// The whole document.
  public var document: JSONValue
  /// Where it came from, redirects followed.
  public var url: String
  /// The values of its Link headers.
  public var links: [String]

  /// A response from `url`.
  public init(_ document: JSONValue, from url: String, links: [String] = []) {
    self.document = document
    self.url = url
    self.links = links
  }
}

/// What a step takes of a response.
public struct CallAnswer: Sendable {
  /// The way on, before caps are applied.
  public enum Next: Hashable, Sendable {
    case none
    /// An absolute address.
    case address(String)
    /// So many pages there are.
    case pages(Int64)
  }

  /// What was selected, with its addresses made absolute.
  public var value: JSONValue
  /// The way to the next page.
  public var next: Next

  /// An answer whose parts are known.
  public init(_ value: JSONValue, next: Next = .none) {
    self.value = value
    self.next = next
  }
}
