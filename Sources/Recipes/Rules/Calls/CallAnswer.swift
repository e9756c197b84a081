package import JSONQuery

/// What came back from a call: what a step's rules need to know of it.
package struct CallResponse: Sendable {
  package var document: JSONValue
  /// Where it came from, redirects followed.
  package var url: String
  /// The values of its Link headers.
  package var links: [String]

  /// A response from `url`.
  package init(_ document: JSONValue, from url: String, links: [String] = []) {
    self.document = document
    self.url = url
    self.links = links
  }
}

/// What a step takes of a response.
package struct CallAnswer: Sendable {
  /// The way on, before caps are applied.
  package enum Next: Hashable, Sendable {
    case none
    /// An absolute address.
    case address(String)
    /// So many pages there are.
    case pages(Int64)
  }

  /// What was selected, with its addresses made absolute.
  package var value: JSONValue
  /// The way to the next page.
  package var next: Next

  /// An answer whose parts are known.
  package init(_ value: JSONValue, next: Next = .none) {
    self.value = value
    self.next = next
  }
}
