public import JSONQuery
import Links

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

extension RecipeStep {
  /// Checks a response, takes from it what the step is about, and finds the way on.
  public func answer(from response: CallResponse) throws(RecipeFailure) -> CallAnswer {
    for (text, requirement) in zip(require, requirements) {
      do {
        try requirement.check(response.document)
      } catch {
        throw .mismatch("require '\(text)' of \(response.url): \(error.message)")
      }
    }
    guard let base = try? WebURL(response.url) else { throw .invalid("'\(response.url)' is no address") }
    var value = response.document
    if let selector, let select {
      switch try selector.find(in: value, "select '\(select)' from \(response.url)") {
      case .one(let found): value = found
      case .many(let found): value = try .array(of: found)
      case .parameter: break
      }
    }
    if !addresses.isEmpty { value = try value.makingAbsolute(addresses, relativeTo: base) }
    guard let paging else { return CallAnswer(value) }
    guard value.kind == .array else {
      throw .mismatch("a page of \(response.url) must be an array to go on behind it, found \(value.summary)")
    }
    return CallAnswer(value, next: try paging.next(in: response, base))
  }
}

extension Paging {
  fileprivate func next(in response: CallResponse, _ base: WebURL) throws(RecipeFailure) -> CallAnswer.Next {
    let reference: String?
    switch way {
    case .pages(let selector):
      guard let total = selector.only(in: response.document)?.int64, total >= 0 else {
        throw .mismatch("\(response.url) does not tell the number of its pages")
      }
      return .pages(total)
    case .link(let relation): reference = LinkHeader.target(relation, in: response.links)
    case .pointer(let selector):
      let found = selector.only(in: response.document)
      if let found, found.kind != .string, !found.isNull {
        throw .mismatch("the next page of \(response.url) is no address but \(found.summary)")
      }
      reference = found?.string
    }
    guard let reference, !reference.isEmpty else { return .none }
    guard let next = try? WebURL(reference, relativeTo: base) else {
      throw .mismatch(
        "the next page of \(response.url) is no http or https address: '\(printableLink(reference))'")
    }
    return .address(next.requestURL)
  }
}

extension JSONSelector {
  /// The value of what finds one at most.
  fileprivate func only(in root: JSONValue) -> JSONValue? {
    switch self {
    case .pointer(let pointer): pointer.select(in: root)
    case .path(let path): (try? path.select(in: root))?.first
    }
  }
}
