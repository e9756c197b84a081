import JSONQuery

extension RecipeReader {
  private static let ways = ["pointer", "link", "pages"]

  mutating func paging(in value: JSONValue, of step: String) -> Paging? {
    let place = "'next' of \(step)"
    guard let members = members(of: value, in: place, known: Self.ways + ["most"]) else { return nil }
    let most = integer(members["most"], in: 1...Paging.most, of: "'most' of \(place)") ?? Paging.defaultMost
    let given = Self.ways.filter { members[$0] != nil }
    guard given.count == 1, let name = given.first, let way = members[name] else {
      tell("\(place) needs exactly one of 'pointer', 'link' and 'pages'", at: value)
      return nil
    }
    guard
      let text = string(way, name == "link" ? "a relation" : "a JSON Pointer", of: "'\(name)' of \(place)")
    else { return nil }
    if name == "link" {
      if text.isEmpty { expected("a relation such as \"next\"", "as 'link' of \(place)", found: way) }
      return Paging(way: .link(text), most: most)
    }
    guard let selector = single(text, in: way) else { return nil }
    return Paging(way: name == "pointer" ? .pointer(selector) : .pages(selector), most: most)
  }

  /// A selector that finds one value at most.
  private mutating func single(_ text: String, in value: JSONValue) -> JSONSelector? {
    let selector = selector(text, in: value)
    if case .path(let path) = selector, !path.isSingular {
      tell("'\(shown(text))' may find many values: expected a JSON Pointer or a query for one", at: value)
    }
    return selector
  }
}

extension Paging {
  var countsPages: Bool { if case .pages = way { true } else { false } }
}
