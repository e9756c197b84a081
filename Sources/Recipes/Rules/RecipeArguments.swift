/// The arguments of a run: a value for each parameter of the recipe.
package struct RecipeArguments: Hashable, Sendable {
  let values: [String: ParameterValue]

  /// Reads words such as `base=http://a.test`; of several for one parameter the last counts.
  ///
  /// - Parameter needingAll: Whether a parameter without value and default is an error.
  package init(_ words: [String], for recipe: Recipe, needingAll: Bool = true) throws(RecipeArgumentError) {
    var values: [String: ParameterValue] = [:]
    for parameter in recipe.parameters { values[parameter.name] = parameter.fallback }
    for word in words {
      guard let equals = word.utf8.firstIndex(of: UInt8(ascii: "=")) else { throw .noValue(word) }
      let name = String(word[..<equals])
      let text = String(word[word.utf8.index(after: equals)...])
      guard let parameter = recipe.parameters.first(where: { $0.name == name }) else {
        throw .unknown(name, known: recipe.parameters.map(\.name))
      }
      guard let value = parameter.type.value(of: text) else { throw .wrongValue(name, parameter.type, text) }
      values[name] = value
    }
    let missing = recipe.parameters.map(\.name).filter { values[$0] == nil }
    if needingAll, !missing.isEmpty { throw .missing(missing) }
    self.values = values
  }
}

/// Why words are not what a recipe is to be told.
package enum RecipeArgumentError: Error, Hashable, Sendable {
  case noValue(String)
  case unknown(String, known: [String])
  case wrongValue(String, ParameterType, String)
  case missing([String])

  /// One line for people.
  package var message: String {
    switch self {
    case .noValue(let word): "'\(word)' is not of the form name=value"
    case .unknown(let name, []): "unknown parameter '\(name)': the recipe has none"
    case .unknown(let name, let known):
      "unknown parameter '\(name)'"
        + (Suggestion.closest(to: name, among: known).map { " — did you mean '\($0)'?" }
          ?? ": there are \(known.joined(separator: ", "))")
    case .wrongValue(let name, let type, let text):
      "'\(text)' is not a value for '\(name)': expected \(type.expectation)"
    case .missing(let names):
      "no value for \(names.map { "'\($0)'" }.joined(separator: ", ")): give --param \(names.first ?? "")=…"
    }
  }
}
