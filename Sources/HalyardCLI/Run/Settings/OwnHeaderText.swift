import Pipeline

/// Reads the headers and cookies that a user wants to send.
enum OwnHeaderText {
  static func headers(_ arguments: ParsedArguments) throws(UsageError) -> [HeaderField] {
    let headers = try ListFile.words(of: RequestOption.header, arguments, header)
    let cookies = try ListFile.words(of: RequestOption.cookie, arguments, cookie)
    return cookies.isEmpty ? headers : headers + [HeaderField("Cookie", cookies.joined(separator: "; "))]
  }

  /// Headers that are written in a file of settings, read and in one form.
  static let kind: OptionKind = {
    @Sendable func spelling(_ field: HeaderField) -> String { "\(field.name): \(field.value)" }
    var kind = OptionKind(.fields, header, spelling: spelling)
    kind.readMember = { name, text throws(ValueProblem) in
      let field = try header(name, text)
      return OptionValue(spelling(field), for: field)
    }
    return kind
  }()

  static func header(_ text: String) throws(ValueProblem) -> HeaderField {
    try checkControls(in: text)
    guard let colon = text.firstIndex(of: ":") else {
      throw ValueProblem(words: "\(Printable.quoted(text)) is not of the form 'Name: value'")
    }
    return try header(String(text[..<colon]), text[text.index(after: colon)...])
  }

  static func header(_ name: String, _ value: some StringProtocol) throws(ValueProblem) -> HeaderField {
    try checkControls(in: String(value))
    guard OwnHeaderRule.isToken(name) else {
      throw ValueProblem(words: "\(Printable.quoted(name)) is not the name of a header")
    }
    guard !OwnHeaderRule.isReserved(name) else {
      throw ValueProblem(words: "'\(name)' is not for users to set")
    }
    return HeaderField(name, value.trimmingSpaces())
  }

  static func cookie(_ text: String) throws(ValueProblem) -> String {
    try checkControls(in: text)
    let name = text.prefix { $0 != "=" }
    guard name.utf8.count < text.utf8.count, OwnHeaderRule.isToken(name), !text.contains(";")
    else { throw ValueProblem(words: "\(Printable.quoted(text)) is not of the form name=value") }
    return text
  }

  private static func checkControls(in text: String) throws(ValueProblem) {
    guard OwnHeaderRule.isOneLine(text) else {
      throw ValueProblem(words: "it holds a line end or another control character")
    }
  }
}
