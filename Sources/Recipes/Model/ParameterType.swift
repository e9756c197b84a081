import Links

/// What a parameter can be.
package enum ParameterType: String, CaseIterable, Hashable, Sendable {
  case string
  case integer
  case boolean
  /// An absolute http or https address; without a slash at its end, so that templates can go on with one.
  case url

  /// The value that a word of a command line stands for; nil when it is no such value.
  func value(of word: String) -> ParameterValue? {
    switch self {
    case .string: return .string(word)
    case .integer: return Int64(word).map { .integer($0) }
    case .boolean: return Self.booleans[word.lowercased()].map { .boolean($0) }
    case .url:
      guard let link = try? WebURL.userInput(word) else { return nil }
      let isPrefix = link.query == nil && link.fragment == nil && link.href.hasSuffix("/")
      // With its password, if there is one: `href` is for showing.
      return link.username.isEmpty && link.password.isEmpty
        ? .string(isPrefix ? String(link.href.dropLast()) : link.href) : nil
    }
  }

  /// What values look like, behind "expected".
  var expectation: String {
    switch self {
    case .string: "a string"
    case .integer: "a whole number"
    case .boolean: "yes or no"
    case .url: "an http or https address without a name and password"
    }
  }

  private static let booleans = [
    "yes": true, "true": true, "on": true, "1": true, "no": false, "false": false, "off": false, "0": false,
  ]
}

/// The value of a parameter.
package enum ParameterValue: Hashable, Sendable {
  case string(String)
  case integer(Int64)
  case boolean(Bool)

  /// As it stands in an address.
  package var text: String {
    switch self {
    case .string(let text): text
    case .integer(let number): String(number)
    case .boolean(let isTrue): isTrue ? "true" : "false"
    }
  }
}
