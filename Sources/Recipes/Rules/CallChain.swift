import JSONQuery

/// The call for one value of `each`, or the only one, and its pages.
struct CallChain: Sendable {
  private let context: ValueContext
  private var walk: PageWalk?
  /// Pages that were called and are not answered.
  private(set) var open: Set<Int> = [1]
  private var pages: [Int: JSONValue] = [:]
  private var leadsBack: Int?
  /// Of the pages, and of an input that was put together for it.
  private(set) var heldBytes: Int
  let url: String

  init(_ context: ValueContext, _ walk: PageWalk?, url: String, inputBytes: Int) {
    (self.context, self.walk, self.url) = (context, walk, url)
    heldBytes = inputBytes
  }

  /// No page is missing any more.
  var isComplete: Bool { open.isEmpty }

  struct Page: Sendable {
    var number: Int
    var url: String
  }

  /// Takes one page.
  ///
  /// - Returns: The pages to call now, in their order.
  mutating func answered(
    _ answer: CallAnswer, page number: Int, of step: RecipeStep
  ) throws(RecipeFailure) -> [Page] {
    open.remove(number)
    let value = try answer.value.copied()
    pages[number] = value
    heldBytes += value.length
    switch walk?.answered(answer.next) {
    case nil, .end, .capped: return []
    case .circle:
      leadsBack = number
      return []
    case .call(let page, let address):
      open.insert(page)
      return [Page(number: page, url: address)]
    case .calls(let next):
      var pages: [Page] = []
      for page in next { pages.append(Page(number: page, url: try step.address(in: context, page: page))) }
      open.formUnion(next)
      return pages
    }
  }

  /// Does not call these after all.
  mutating func forgo(_ pages: [Page]) {
    for page in pages { open.remove(page.number) }
  }

  /// What was left out of it, when it is complete.
  var note: String? {
    if let leadsBack {
      return "page \(leadsBack) of \(url) leads back to one that was read: what stands behind it was left out"
    }
    guard walk?.isCapped == true else { return nil }
    return
      "\(url) has more than \(pages.count) \(pages.count == 1 ? "page" : "pages"): what stands behind them was left out"
  }

  func output(of step: RecipeStep) throws(RecipeFailure) -> JSONValue {
    let values = pages.sorted { $0.key < $1.key }.lazy.map(\.value)
    let value: JSONValue
    if walk != nil {
      value = try .array(of: values.flatMap(\.elements))
    } else if let only = values.first {
      value = only
    } else {
      throw .noData("there is no answer")
    }
    guard let template = step.output else { return value }
    var context = context
    context.value = value
    let output = try template.assembled(in: context)
    return template.isPart ? try output.copied() : output
  }
}

extension ValueTemplate {
  /// Whether it is found in a value that may be much larger.
  fileprivate var isPart: Bool {
    if case .reference(let reference) = self { reference.selector != nil } else { false }
  }
}

/// Links that a response's headers tell (RFC 8288).
package enum LinkHeader {
  /// The target of the first link with a relation, as it is written; nil when there is none.
  ///
  /// Links that are not about the document itself, which have an anchor, do not count.
  package static func target(_ relation: String, in headers: [String]) -> String? {
    for header in headers {
      var scanner = LinkScanner(header)
      while let link = scanner.next() {
        let relations = link.relations.lowercased().split { $0 == " " || $0 == "\t" }
        if !link.hasAnchor, relations.contains(Substring(relation.lowercased())) { return link.target }
      }
    }
    return nil
  }
}

/// Reads one link after another and gives up at the first that is not valid.
private struct LinkScanner {
  struct Link {
    var target: String
    var relations = ""
    var hasAnchor = false
  }

  private let bytes: [UInt8]
  private var at = 0

  init(_ header: String) { bytes = Array(header.utf8) }

  mutating func next() -> Link? {
    skip { $0 == UInt8(ascii: ",") || isBlank($0) }
    guard take(UInt8(ascii: "<")) else { return nil }
    var link = Link(target: text { $0 != UInt8(ascii: ">") })
    guard take(UInt8(ascii: ">")) else { return nil }
    var hasRelations = false
    skip { isBlank($0) }
    while take(UInt8(ascii: ";")) {
      skip { isBlank($0) }
      let name = text { isToken($0) }.lowercased()
      let value = parameterValue()
      // Of several the first counts.
      if name == "rel", !hasRelations {
        link.relations = value
        hasRelations = true
      }
      if name == "anchor" { link.hasAnchor = true }
      skip { isBlank($0) }
    }
    guard at == bytes.count || bytes[at] == UInt8(ascii: ",") else { return nil }
    return link
  }

  private mutating func parameterValue() -> String {
    skip { isBlank($0) }
    guard take(UInt8(ascii: "=")) else { return "" }
    skip { isBlank($0) }
    guard take(UInt8(ascii: "\"")) else {
      return text { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: ",") && !isBlank($0) }
    }
    var value: [UInt8] = []
    while at < bytes.count, bytes[at] != UInt8(ascii: "\"") {
      if bytes[at] == UInt8(ascii: "\\"), at + 1 < bytes.count { at += 1 }
      value.append(bytes[at])
      at += 1
    }
    _ = take(UInt8(ascii: "\""))
    return String(decoding: value, as: UTF8.self)
  }

  private mutating func text(while holds: (UInt8) -> Bool) -> String {
    let start = at
    skip(while: holds)
    return String(decoding: bytes[start..<at], as: UTF8.self)
  }

  private mutating func skip(while holds: (UInt8) -> Bool) {
    while at < bytes.count, holds(bytes[at]) { at += 1 }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard at < bytes.count, bytes[at] == byte else { return false }
    at += 1
    return true
  }
}

private func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

private func isToken(_ byte: UInt8) -> Bool {
  !isBlank(byte) && byte != UInt8(ascii: "=") && byte != UInt8(ascii: ";") && byte != UInt8(ascii: ",")
}

/// The way from page to page of one call.
struct PageWalk: Sendable {
  enum Step: Hashable, Sendable {
    case call(page: Int, address: String)
    /// The template tells their addresses, so nothing of them waits for another.
    case calls(ClosedRange<Int>)
    /// Nothing new follows.
    case end
    /// There are more pages than are wanted.
    case capped
    /// The next page was read already.
    case circle
  }

  private let most: Int
  /// The last page that was called.
  private(set) var last = 1
  private var seen: Set<String>
  private(set) var isCapped = false

  init(startingAt address: String, most: Int) {
    self.most = most
    seen = [address]
  }

  /// What follows from one page; those of a counted list may answer in any order, and each may tell of more.
  mutating func answered(_ next: CallAnswer.Next) -> Step {
    switch next {
    case .none: return .end
    case .pages(let total):
      if total > most { isCapped = true }
      let end = Int(clamping: min(total, Int64(most)))
      guard last < end else { return .end }
      defer { last = end }
      return .calls(last + 1...end)
    case .address(let address):
      guard seen.insert(address).inserted else { return .circle }
      guard last < most else {
        isCapped = true
        return .capped
      }
      last += 1
      return .call(page: last, address: address)
    }
  }
}
