import JSONQuery

/// What the names of a recipe stand for at one moment.
struct ValueContext {
  var parameters: [String: ParameterValue] = [:]
  var sections: JSONValue
  /// Of each step; nil before it ended well.
  var outputs: [JSONValue?] = []
  var item: JSONValue?
  var input: JSONValue?
  var value: JSONValue?

  /// What a reference leads to.
  enum Found {
    case parameter(ParameterValue)
    case one(JSONValue)
    /// What a query finds that may find many.
    case many([JSONValue])
  }

  func find(_ reference: Reference) throws(RecipeFailure) -> Found {
    let value: JSONValue?
    switch reference.source {
    case .parameter(let name):
      guard let found = parameters[name] else { throw .missingInput("the parameter '\(name)' has no value") }
      guard reference.selector == nil else {
        throw .mismatch("'\(reference.text)': a parameter has no parts")
      }
      return .parameter(found)
    case .step(let step): value = outputs[step]
    case .sections: value = sections
    case .item: value = item
    case .input: value = input
    case .value: value = self.value
    }
    guard let value else { throw .missingInput("'\(reference.text)' has no value") }
    guard let selector = reference.selector else { return .one(value) }
    switch try selector.find(in: value, "'\(reference.text)'") {
    case .one(let found): return .one(found)
    case .many(let found): return .many(found)
    }
  }
}

extension JSONSelector {
  /// One value of what can find one only, which must be there; else all of them.
  func find(in root: JSONValue, _ place: String) throws(RecipeFailure) -> Found {
    do {
      return try find(in: root)
    } catch {
      switch error {
      case .nothing(let why): throw .mismatch("\(place): \(why)")
      case .tooMuch(let why): throw .tooLarge("\(place): \(why)")
      }
    }
  }
}
