import JSONQuery

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
}
