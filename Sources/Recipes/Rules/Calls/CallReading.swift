import JSONQuery
import Links

/// What is read of a call's answer: what it must hold, what is taken, and how it leads on. It can be sent as text.
package struct CallReading: Sendable {
  /// What the answer must hold, as it is written.
  package var require: [String] = []
  /// What is taken of the answer, as it is written; nil for all of it.
  package var select: String?
  /// Where in what was taken addresses stand that are to be made absolute, as it is written.
  package var absolute: [String] = []
  /// Where the answer has the link to the next page; nil if there is one page.
  package var next: Paging.Way?
  /// The start of the only site for which the user's own headers are; nil for none.
  package var home: String?

  init(require: [String], select: String?, absolute: [String], next: Paging.Way?) {
    (self.require, self.select, self.absolute, self.next) = (require, select, absolute, next)
  }

  /// Reads what `text` wrote.
  package init(_ text: String) throws(RecipeFailure) {
    guard let root = try? JSONDocument(parsing: Array(text.utf8)).root, root.kind == .object else {
      throw .invalid("a call's reading is not a JSON object")
    }
    require = root["require"]?.elements.compactMap(\.string) ?? []
    select = root["select"]?.string
    absolute = root["absolute"]?.elements.compactMap(\.string) ?? []
    home = root["home"]?.string
    if let relation = root["link"]?.string { next = .link(relation) }
    if let place = root["pointer"]?.string { next = .pointer(try Self.selector(place)) }
    if let place = root["pages"]?.string { next = .pages(try Self.selector(place)) }
  }

  /// On one line.
  package var text: String {
    let bytes = JSONWriter.object { writer in
      writer.member("require", require)
      if let select { writer.member("select", select) }
      writer.member("absolute", absolute)
      if let home { writer.member("home", home) }
      switch next {
      case nil: break
      case .link(let relation): writer.member("link", relation)
      case .pointer(let selector): writer.member("pointer", selector.text)
      case .pages(let selector): writer.member("pages", selector.text)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Checks a response, takes from it what the call is about, and finds the way on.
  package func answer(from response: CallResponse) throws(RecipeFailure) -> CallAnswer {
    for text in require { try Self.check(text, response) }
    guard let base = try? WebURL(response.url) else { throw .invalid("'\(response.url)' is not an address") }
    var value = response.document
    if let select {
      switch try Self.selector(select).find(in: value, "select '\(select)' from \(response.url)") {
      case .one(let found): value = found
      case .many(let found): value = try .array(of: found)
      }
    }
    if !absolute.isEmpty {
      var places: [JSONSelector] = []
      for text in absolute { places.append(try Self.selector(text)) }
      value = try value.makingAbsolute(places, relativeTo: base)
    }
    guard let next else { return CallAnswer(value) }
    guard value.kind == .array else {
      throw .mismatch("a page of \(response.url) must be an array to go on behind it, found \(value.brief)")
    }
    return CallAnswer(value, next: try next.target(in: response, base))
  }

  private static func check(_ text: String, _ response: CallResponse) throws(RecipeFailure) {
    let requirement: JSONRequirement
    do {
      requirement = try JSONRequirement(text)
    } catch {
      throw .invalid("require \(error.message)")
    }
    do {
      try requirement.check(response.document)
    } catch {
      throw .mismatch("require '\(text)' of \(response.url): \(error.message)")
    }
  }

  private static func selector(_ text: String) throws(RecipeFailure) -> JSONSelector {
    do {
      return try JSONSelector(text)
    } catch {
      throw .invalid(error.message)
    }
  }
}

extension RecipeStep {
  package var reading: CallReading {
    CallReading(require: require, select: select, absolute: absolute, next: paging?.way)
  }
}

extension Paging.Way {
  fileprivate func target(
    in response: CallResponse, _ base: WebURL
  ) throws(RecipeFailure) -> CallAnswer.Next {
    let reference: String?
    switch self {
    case .pages(let selector):
      guard let total = selector.only(in: response.document)?.int64, total >= 0 else {
        throw .mismatch("\(response.url) does not tell the number of its pages")
      }
      return .pages(total)
    case .link(let relation): reference = LinkHeader.target(relation, in: response.links)
    case .pointer(let selector):
      let found = selector.only(in: response.document)
      if let found, found.kind != .string, !found.isNull {
        throw .mismatch("the next page of \(response.url) is not an address but \(found.brief)")
      }
      reference = found?.string
    }
    guard let reference, !reference.isEmpty else { return .none }
    guard let next = try? WebURL(reference, relativeTo: base) else {
      throw .mismatch(
        "the next page of \(response.url) is not an http or https address: '\(printableLink(reference))'")
    }
    return .address(next.requestURL)
  }
}

extension JSONSelector {
  var text: String {
    switch self {
    case .pointer(let pointer): pointer.text
    case .path(let path): path.text
    }
  }

  /// The value of what finds one at most.
  fileprivate func only(in root: JSONValue) -> JSONValue? {
    (try? find(in: root))?.values.first
  }
}
