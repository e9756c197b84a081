import Links

extension RecipeStep {
  /// The start of the site that the step calls whatever is answered; nil when an answer can lead it elsewhere.
  func home(_ parameters: [String: ParameterValue]) -> String? {
    let (text, isWhole) = call.beginning { parameters[$0]?.text }
    guard isWhole || text.endsItsAuthority else { return nil }
    guard let url = try? WebURL(text) else { return nil }
    return try? WebURL("/", relativeTo: url).requestURL
  }
}

extension RecipeRun {
  /// How the answers of a step's calls are read, and whose headers they carry: a step whose address comes from an answer
  /// is at home where the first step is whose address does not.
  package func reading(of step: Int) -> CallReading {
    var reading = recipe.steps[step].reading
    reading.home = home(of: step)
    return reading
  }
}

extension URITemplate {
  /// The address up to the first value that is not known, with what stands before such a value in any case.
  fileprivate func beginning(_ known: (String) -> String?) -> (text: String, isWhole: Bool) {
    var output: [UInt8] = []
    for part in parts {
      switch part {
      case .literal(let text): output.append(contentsOf: text.utf8)
      case .expression(let rule, let variables):
        for (place, variable) in variables.enumerated() {
          guard let value = known(variable.name) else {
            rule.appendMark(isFirst: place == 0, to: &output)
            return (String(decoding: output, as: UTF8.self), false)
          }
          rule.append(variable.name, value, isFirst: place == 0, to: &output)
        }
      }
    }
    return (String(decoding: output, as: UTF8.self), true)
  }
}

extension String {
  /// Whether nothing that follows can belong to the host.
  fileprivate var endsItsAuthority: Bool {
    guard let colon = utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
    let rest = utf8[utf8.index(after: colon)...]
    return rest.starts(with: "//".utf8) && rest.dropFirst(2).contains { "/?#".utf8.contains($0) }
  }
}
