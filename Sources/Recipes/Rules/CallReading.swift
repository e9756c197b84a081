package import JSONQuery
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

extension RecipeStep {
  /// The values that calls are made for, in their order.
  func items(in context: ValueContext) throws(RecipeFailure) -> [JSONValue] {
    guard let each else { return [] }
    let items: [JSONValue]
    switch try context.find(each) {
    case .many(let found): items = found
    case .one(let value) where value.kind == .array: items = Array(value.elements)
    case .one(let value): throw .mismatch("each '\(each.text)' needs an array, found \(value.brief)")
    case .parameter: throw .mismatch("each '\(each.text)' needs an array, found a parameter")
    }
    guard items.count <= RecipeLimits.callsOfStep else {
      throw .tooLarge(
        "each '\(each.text)' has \(items.count) values, and a step makes \(RecipeLimits.callsOfStep) calls")
    }
    return items
  }

  /// What a call is made with: what is given, else the value of `each`, else the first output of what the step waits for
  /// with which the call can be written; nil when there is none.
  ///
  /// - Returns: With it the bytes that it takes beyond the value of which it is a part.
  func input(in context: ValueContext) throws(RecipeFailure) -> (value: JSONValue?, bytes: Int) {
    if let input {
      if let part = try input.found(in: context) { return (part, 0) }
      let whole = try input.written(in: context)
      return (whole, whole.length)
    }
    if each != nil { return (context.item, 0) }
    let fitting = after.lazy.compactMap { context.outputs[$0] }.first { output in
      var context = context
      context.input = output
      return (try? address(in: context)) != nil
    }
    return (fitting, 0)
  }

  /// The address to call with the input and the first page in `context`.
  func address(in context: ValueContext, page: Int = 1) throws(RecipeFailure) -> String {
    let (bytes, places) = try call.expandedBytes { (name) throws(RecipeFailure) -> String? in
      if name == "page" { return String(page) }
      if let value = context.parameters[name] { return value.text }
      return try inputText(name, context.input)
    }
    let text = String(decoding: bytes, as: UTF8.self)
    let foreign = places.filter { $0.name != "page" && context.parameters[$0.name] == nil }.map(\.range)
    guard !DotSegments.areMade(by: foreign, in: bytes) else {
      throw .invalid(
        "'\(printableLink(text))' cannot be called: with '.' or '..' a value would lead to another path")
    }
    do {
      return try WebURL(text).requestURL
    } catch {
      throw .invalid("'\(printableLink(text))' cannot be called: \(error.message)")
    }
  }

  /// A variable such as `input.id`: a member of a member, and so on, of the input.
  private func inputText(_ name: String, _ input: JSONValue?) throws(RecipeFailure) -> String {
    var value = input
    for member in name.split(separator: ".").dropFirst() { value = value?[String(member)] }
    guard let value else {
      throw .missingInput("'\(self.name)' has no '\(name)' to call with")
    }
    switch value.kind {
    case .string: return value.string ?? ""
    case .number: return value.numberText ?? ""
    case .bool: return value.bool == true ? "true" : "false"
    case .object, .array, .null:
      throw .missingInput("'\(self.name)' cannot be called with '\(name)', which is \(value.brief)")
    }
  }
}
