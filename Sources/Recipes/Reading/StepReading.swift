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
        tell(error.message, at: source.offset(ofByte: error.offset, in: element))
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

/// What may stand in the address that a step calls.
struct CallScope {
  var place: String
  var hasInput: Bool
  /// nil without paging.
  var countsPages: Bool?
}

extension RecipeReader {
  mutating func call(_ value: JSONValue?, _ scope: CallScope) -> URITemplate {
    guard let value, let text = string(value, "an address", of: "'call' of \(scope.place)") else {
      return .empty
    }
    let template: URITemplate
    do {
      template = try URITemplate(text)
    } catch {
      tell(
        "'call' of \(scope.place): \(error.reason.rawValue)",
        at: source.offset(ofByte: error.offset, in: value))
      return .empty
    }
    checkStart(of: template, value, scope)
    for variable in template.variables { check(variable, value, scope) }
    if scope.countsPages == true, !template.variables.contains(where: { $0.name == "page" }) {
      tell("'next' counts pages, so 'call' of \(scope.place) needs '{page}' or '{?page}'", at: value)
    }
    return template
  }

  private mutating func checkStart(of template: URITemplate, _ value: JSONValue, _ scope: CallScope) {
    switch template.parts.first {
    case .literal(let text) where ["http://", "https://"].contains { text.lowercased().hasPrefix($0) }: return
    case .expression(.reserved, _): return
    case .expression(.simple, let variables):
      let name = variables[0].name
      tell("'{\(name)}' would write ':' and '/' as %3A and %2F: write '{+\(name)}'", at: value)
    case .literal, .expression, nil:
      tell("expected 'http://', 'https://' or a value such as '{+base}' at the start of 'call'", at: value)
    }
  }

  private mutating func check(_ variable: TemplateVariable, _ value: JSONValue, _ scope: CallScope) {
    let first = String(variable.name.prefix { $0 != "." })
    let isWhole = first == variable.name
    let problem: String
    switch first {
    case "input" where scope.hasInput: return
    case "input":
      problem = "'{\(variable.name)}' has no value: \(scope.place) has neither 'each' nor 'after' nor 'input'"
    case "page" where isWhole && scope.countsPages == true: return
    case "page" where isWhole:
      problem = "'{page}' has no value: \(scope.place) has no 'next' that counts pages"
    default:
      if names.parameters[variable.name] != nil { return }
      problem = unknown(variable.name, first, scope)
    }
    tell(problem, at: source.offset(ofByte: variable.offset, in: value))
  }

  private func unknown(_ name: String, _ first: String, _ scope: CallScope) -> String {
    if names.parameters[first] != nil {
      return "the parameter '\(first)' has no members, so no '\(shown(name))'"
    }
    if names.step(first) != nil {
      return "'\(first)' is a step: name it in 'input', 'each' or 'after', and write '{input}' here"
    }
    let known = names.parameters.keys.sorted() + (scope.hasInput ? ["input"] : [])
    return "unknown name '{\(shown(name))}' in 'call' of \(scope.place)\(hint(first, known) ?? "")"
  }

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

/// Which steps wait for which.
struct StepGraph {
  private let edges: [[Int]]
  /// Ways that lead from a step back to itself, the step at both ends, up to as many as are told; none when the steps can
  /// be put in an order.
  private(set) var circles: [[Int]] = []
  private var path: [Int] = []
  private var isDone: [Bool]

  /// - Parameter edges: For each step those it waits for.
  init(_ edges: [[Int]]) {
    self.edges = edges
    isDone = Array(repeating: false, count: edges.count)
    for step in edges.indices { visit(step) }
  }

  private mutating func visit(_ step: Int) {
    if let start = path.firstIndex(of: step) {
      circles.append(path[start...] + [step])
      return
    }
    guard !isDone[step], circles.count < RecipeLimits.problems else { return }
    path.append(step)
    for next in edges[step] { visit(next) }
    path.removeLast()
    isDone[step] = true
  }
}
