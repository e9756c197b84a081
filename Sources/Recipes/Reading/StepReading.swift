import JSONQuery

extension RecipeReader {
  private static let memberNames = [
    "call", "each", "after", "input", "when", "require", "select", "absolute", "next", "output", "order",
    "policy",
  ]

  mutating func steps(in value: JSONValue) -> [RecipeStep] {
    guard value.kind == .object, value.count > 0, value.count <= RecipeLimits.steps else {
      expected("an object of 1 to \(RecipeLimits.steps) steps by name", "as 'steps'", found: value)
      return []
    }
    for (name, member) in zip(value.memberNames, value.members) {
      checkName(member.key, of: "step", at: name)
      names.steps.append(member.key)
    }
    let steps = value.members.map { step($0.key, $0.value) }
    let edges = steps.map { $0?.dependencies ?? [] }
    let places = Array(value.memberNames)
    for circle in StepGraph(edges).circles {
      let path = circle.map { "'\(shown(names.steps[$0]))'" }.joined(separator: " → ")
      tell("steps wait for each other in a circle: \(path)", at: places[circle[0]])
    }
    return steps.compactMap(\.self)
  }

  private mutating func step(_ name: String, _ value: JSONValue) -> RecipeStep? {
    let place = "the step '\(shown(name))'"
    guard let members = members(of: value, in: place, known: Self.memberNames, required: ["call"])
    else { return nil }
    let each = each(members["each"], of: place)
    let isFannedOut = members["each"] != nil
    let hasInput = isFannedOut || members["input"] != nil || members["after"] != nil
    let item: Set = isFannedOut ? ["item", "sections"] : ["sections"]
    let paging = members["next"].flatMap { self.paging(in: $0, of: place) }
    let select = string(members["select"], "a JSON Pointer or a JSONPath query", of: "'select' of \(place)")
    if let select, let value = members["select"] { _ = selector(select, in: value) }
    checkRequirements(members["require"], of: place)
    checkAddresses(members["absolute"], of: place)
    let input = members["input"].flatMap {
      template(in: $0, NameScope(place: "'input' of \(place)", words: item))
    }
    let results = item.union(hasInput ? ["input", "value"] : ["value"])
    let output = members["output"].flatMap {
      template(in: $0, NameScope(place: "'output' of \(place)", words: results))
    }
    for name in ["order", "policy"] {
      if let member = members[name], !isFannedOut {
        tell("'\(name)' is for steps with 'each', and \(place) has none", at: member)
      }
    }
    return RecipeStep(
      name: name,
      call: call(
        members["call"], CallScope(place: place, hasInput: hasInput, countsPages: paging?.countsPages)),
      require: texts(members["require"]), select: select,
      paging: paging, absolute: texts(members["absolute"]), each: each, input: input,
      condition: condition(members["when"], of: place), after: after(members["after"], of: place),
      output: output, order: choice(members["order"], of: "'order' of \(place)") ?? .source,
      policy: choice(members["policy"], of: "'policy' of \(place)") ?? .all)
  }

  private mutating func each(_ value: JSONValue?, of place: String) -> Reference? {
    guard let value else { return nil }
    let scope = NameScope(place: "'each' of \(place)", words: ["sections"])
    let reference = reference(in: value, scope)
    if case .parameter(let name) = reference?.source {
      tell("'$\(name)' is a parameter and has one value: 'each' needs a step or '$sections'", at: value)
    }
    return reference
  }

  private mutating func condition(_ value: JSONValue?, of place: String) -> String? {
    guard let value else { return nil }
    guard let text = value.string, text.utf8.first == UInt8(ascii: "$") else {
      expected("a boolean parameter such as \"$details\"", "as 'when' of \(place)", found: value)
      return nil
    }
    let name = String(text.dropFirst())
    let known = names.parameters.keys.sorted()
    guard let type = names.parameters[name] else {
      let hint = hint(name, known, prefix: "$") ?? ""
      tell("unknown parameter '\(shown(text))' as 'when' of \(place)\(hint)", at: value)
      return nil
    }
    if type != .boolean {
      tell(
        "'when' of \(place) needs a boolean parameter, and '\(text)' is of type \(type.rawValue)", at: value)
    }
    return name
  }

  private mutating func after(_ value: JSONValue?, of place: String) -> [Int] {
    var steps: [Int] = []
    for element in value.map(oneOrMany) ?? [] {
      guard let text = element.string, text.utf8.first == UInt8(ascii: "$") else {
        expected("a step such as \"$list\"", "in 'after' of \(place)", found: element)
        continue
      }
      let name = String(text.dropFirst())
      if let step = names.step(name) {
        steps.append(step)
      } else {
        let hint = hint(name, names.steps, prefix: "$") ?? ""
        tell("unknown step '\(shown(text))' in 'after' of \(place)\(hint)", at: element)
      }
    }
    return steps
  }

  func oneOrMany(_ value: JSONValue) -> [JSONValue] { value.kind == .array ? Array(value.elements) : [value] }

  private func texts(_ value: JSONValue?) -> [String] { (value.map(oneOrMany) ?? []).compactMap(\.string) }

  private mutating func checkRequirements(_ value: JSONValue?, of place: String) {
    for element in value.map(oneOrMany) ?? [] {
      guard let text = string(element, "PATH:TYPE", of: "'require' of \(place)") else { continue }
      do {
        _ = try JSONRequirement(text)
      } catch {
        var start = 0
        if case .noSelector(.path(let fault, _)) = error { start = fault.offset }
        tell(error.message, at: source.offset(ofByte: start, in: element))
      }
    }
  }

  private mutating func checkAddresses(_ value: JSONValue?, of place: String) {
    for element in value.map(oneOrMany) ?? [] {
      let what = "a JSON Pointer or a JSONPath query"
      guard let text = string(element, what, of: "'absolute' of \(place)") else { continue }
      _ = selector(text, in: element)
    }
  }
}
