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
      let place = source.offset(ofByte: start + error.offset, in: value)
      tell("'\(shown(text))' is \(error.reason)", at: place)
      return nil
    }
  }

  private static let memberNames = ["type", "default", "about"]

  mutating func parameters(in value: JSONValue) -> [Recipe.Parameter] {
    guard value.kind == .object else {
      expected("an object of parameters by name", "as 'parameters'", found: value)
      return []
    }
    var parameters: [Recipe.Parameter] = []
    for (name, member) in zip(value.memberNames, value.members) {
      checkName(member.key, of: "parameter", at: name)
      if let parameter = parameter(member.key, member.value) { parameters.append(parameter) }
      // A name is known however broken what it names is.
      if names.parameters[member.key] == nil { names.parameters[member.key] = .string }
    }
    return parameters
  }

  private mutating func parameter(_ name: String, _ value: JSONValue) -> Recipe.Parameter? {
    let place = "the parameter '\(shown(name))'"
    guard let members = members(of: value, in: place, known: Self.memberNames, required: ["type"])
    else { return nil }
    let about = string(members["about"], "a string", of: "'about' of \(place)")
    guard let type: ParameterType = choice(members["type"], of: "'type' of \(place)") else { return nil }
    names.parameters[name] = type
    let fallback = members["default"].flatMap { self.fallback($0, type, of: place) }
    return Recipe.Parameter(name: name, type: type, fallback: fallback, about: about)
  }

  private mutating func fallback(_ value: JSONValue, _ type: ParameterType, of place: String)
    -> ParameterValue?
  {
    let found: ParameterValue? =
      switch type {
      case .string: value.string.map { .string($0) }
      case .url: value.string.flatMap { type.value(of: $0) }
      case .integer: value.int64.map { .integer($0) }
      case .boolean: value.bool.map { .boolean($0) }
      }
    if found == nil {
      let what = type == .boolean ? "true or false" : type.expectation
      expected(what, "as 'default' of \(place)", found: value)
    }
    return found
  }

  /// Tells of a name that no parameter or step can have.
  mutating func checkName(_ name: String, of what: String, at place: JSONValue) {
    if RecipeNames.taken.contains(name) {
      tell("'\(name)' means something in every recipe, so no \(what) can be called so", at: place)
    } else if !RecipeNames.isName(name) {
      tell(
        "'\(shown(name))' cannot be the name of a \(what): expected up to 64 letters, digits and '_', no digit first",
        at: place)
    } else if names.parameters[name] != nil, what == "step" {
      tell("'\(name)' is a parameter already, so no step can be called so", at: place)
    }
  }
}

/// Finds what an unknown word may have meant.
package enum Suggestion {
  /// The known word that starts with `word` or is at most a third of it in slips away; the first among equals.
  package static func closest(to word: String, among known: [String]) -> String? {
    let allowed = max(1, word.count / 3)
    let ranked = known.map { (word: $0, slips: slips(from: Array(word), to: Array($0))) }
    if let near = ranked.filter({ $0.slips <= allowed }).min(by: { $0.slips < $1.slips }) {
      return near.word
    }
    // A lone '--' is a prefix of everything.
    return word.count > 2 ? known.first { $0.hasPrefix(word) } : nil
  }

  /// The `count` known words that are nearest to `word`, the nearest first; those that share a part of it between dots count
  /// as nearer.
  package static func nearest(_ count: Int, to word: String, among known: [String]) -> [String] {
    let parts = word.split(separator: ".")
    let ranked = known.enumerated().map { place, candidate in
      let shared = candidate.split(separator: ".").contains(where: parts.contains)
      let cost = slips(from: Array(word.prefix(longest)), to: Array(candidate)) - (shared ? word.count : 0)
      return (cost, place, candidate)
    }
    return ranked.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.prefix(count).map(\.2)
  }

  /// Longer words are compared by their beginning: the work grows with the length of both.
  private static let longest = 64

  /// Letters added, dropped, changed, or swapped with their neighbour (optimal string alignment distance).
  static func slips(from source: [Character], to target: [Character]) -> Int {
    var beforeLast = [Int](repeating: 0, count: target.count + 1)
    var last = Array(0...target.count)
    for row in source.indices {
      var current = [row + 1]
      for column in target.indices {
        let same = source[row] == target[column]
        var cost = min(last[column] + (same ? 0 : 1), last[column + 1] + 1, current[column] + 1)
        let swapped =
          row > 0 && column > 0 && source[row] == target[column - 1] && source[row - 1] == target[column]
        if swapped { cost = min(cost, beforeLast[column - 1] + 1) }
        current.append(cost)
      }
      beforeLast = last
      last = current
    }
    return last[target.count]
  }
}
