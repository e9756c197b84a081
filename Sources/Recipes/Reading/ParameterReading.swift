import JSONQuery

extension RecipeReader {
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
