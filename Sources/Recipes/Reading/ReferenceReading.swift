import JSONQuery

extension RecipeReader {
  /// A reference such as `$list/data`, and nothing else.
  mutating func reference(in value: JSONValue, _ scope: NameScope) -> Reference? {
    guard let text = value.string, text.utf8.first == UInt8(ascii: "$") else {
      expected("a name such as \"$list\" or \"$list/data\"", "as \(scope.place)", found: value)
      return nil
    }
    return reference(text, value, scope)
  }

  /// JSON whose strings may be references.
  mutating func template(in value: JSONValue, _ scope: NameScope) -> ValueTemplate? {
    switch value.kind {
    case .object:
      let members = value.members.map { (name: $0.key, value: template(in: $0.value, scope)) }
      return .object(
        members.compactMap { member in member.value.map { .init(name: member.name, value: $0) } })
    case .array: return .array(value.elements.compactMap { template(in: $0, scope) })
    case .string:
      guard let text = value.string, text.utf8.first == UInt8(ascii: "$") else {
        return .literal(Array(value.minified.utf8))
      }
      guard !text.hasPrefix("$$") else {
        var writer = JSONWriter()
        writer.string(String(text.dropFirst()))
        return .literal(writer.bytes)
      }
      return reference(text, value, scope).map { .reference($0) }
    case .number, .bool, .null: return .literal(Array(value.minified.utf8))
    }
  }

  private mutating func reference(_ text: String, _ value: JSONValue, _ scope: NameScope) -> Reference? {
    let bytes = text.utf8.dropFirst()
    let name = String(decoding: bytes.prefix { RecipeNames.isNameByte($0) }, as: UTF8.self)
    let rest = String(decoding: bytes.dropFirst(name.utf8.count), as: UTF8.self)
    let source = source(named: name, value, scope)
    var selector: JSONSelector?
    if !rest.isEmpty {
      selector = self.selector(rest, in: value, behind: 1 + name.utf8.count)
      guard selector != nil else { return nil }
    }
    return source.map { Reference(source: $0, selector: selector, text: text) }
  }

  private mutating func source(named name: String, _ value: JSONValue, _ scope: NameScope) -> Reference
    .Source?
  {
    if scope.words.contains(name), let word = word(name) { return word }
    if let step = names.step(name) { return .step(step) }
    if names.parameters[name] != nil { return .parameter(name) }
    if RecipeNames.taken.contains(name) {
      let why = name == "sections" && !names.hasSections ? ": the recipe has no 'sections'" : ""
      tell("'$\(name)' means nothing in \(scope.place)\(why)", at: value)
      return nil
    }
    guard !name.isEmpty else {
      tell("expected a name behind '$'; a dollar sign itself is written '$$'", at: value)
      return nil
    }
    let known = names.steps + names.parameters.keys.sorted() + scope.words.sorted()
    let hint = hint(name, known, prefix: "$") ?? ""
    tell("unknown name '$\(shown(name))' in \(scope.place)\(hint)", at: value)
    return nil
  }

  private mutating func word(_ name: String) -> Reference.Source? {
    switch name {
    case "sections": names.hasSections ? .sections : nil
    case "item": .item
    case "input": .input
    case "value": .value
    default: nil
    }
  }

  mutating func selector(_ text: String, in value: JSONValue, behind start: Int = 0) -> JSONSelector? {
    do {
      return try JSONSelector(text)
    } catch {
      var place = start
      if case .path(let error, _) = error { place += error.offset }
      tell("'\(shown(text))' is \(error.reason)", at: source.offset(ofByte: place, in: value))
      return nil
    }
  }
}
