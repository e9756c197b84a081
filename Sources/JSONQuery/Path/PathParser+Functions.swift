extension PathParser {
  /// The function whose name ends here, before its parenthesis.
  mutating func readFunction(_ name: String, at start: Int) throws(JSONPathError) -> PathTerm.Kind {
    switch name {
    case "length":
      return .computed(
        .length(try readArguments { parser throws(JSONPathError) in try parser.readArgument().operand() }))
    case "count":
      return .computed(
        .count(try readArguments { parser throws(JSONPathError) in try parser.readArgument().nodes() }))
    case "value":
      return .computed(
        .value(try readArguments { parser throws(JSONPathError) in try parser.readArgument().nodes() }))
    case "match", "search":
      return .match(
        try readArguments { parser throws(JSONPathError) in try parser.readMatch(isWhole: name == "match") })
    default: throw JSONPathError(.unknownFunction, at: start)
    }
  }

  private mutating func readArguments<Value>(
    _ read: (inout PathParser) throws(JSONPathError) -> Value
  ) throws(JSONPathError) -> Value {
    try nested { parser throws(JSONPathError) in
      parser.cursor += 1
      parser.skipBlanks()
      let arguments = try read(&parser)
      parser.skipBlanks()
      guard parser.take(")") else { throw parser.error(.expectedParenthesis) }
      return arguments
    }
  }

  private mutating func readArgument() throws(JSONPathError) -> PathTerm {
    guard let term = try readTerm() else { throw error(.expectedOperand) }
    return term
  }

  private mutating func readMatch(isWhole: Bool) throws(JSONPathError) -> PathMatch {
    let subject = try readArgument().operand()
    skipBlanks()
    guard take(",") else { throw error(.expectedArgument) }
    skipBlanks()
    let argument = try readArgument()
    let expression: PathMatch.Expression
    if case .literal(.string(let text)) = argument.kind {
      do {
        expression = .known(try Pattern(String(decoding: text, as: UTF8.self)))
      } catch PatternError.tooLarge {
        throw JSONPathError(.patternTooLarge, at: argument.start)
      } catch {
        expression = .known(nil)
      }
    } else {
      expression = .computed(try argument.operand())
    }
    return PathMatch(subject: subject, expression: expression, isWhole: isWhole)
  }
}
