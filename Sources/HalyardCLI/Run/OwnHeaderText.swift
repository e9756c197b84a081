import Pipeline

/// Reads the headers and cookies that a user wants to send.
enum OwnHeaderText {
  /// What would break the exchange itself.
  private static let reserved: Set<String> = [
    "accept-encoding", "connection", "content-length", "expect", "host", "keep-alive", "te", "trailer",
    "transfer-encoding", "upgrade",
  ]

  static func headers(_ arguments: ParsedArguments) throws(UsageError) -> [HeaderField] {
    var headers: [HeaderField] = []
    for text in arguments[RequestOption.header] {
      do {
        headers.append(try header(text))
      } catch {
        throw arguments.rejection(of: RequestOption.header, error.words)
      }
    }
    let cookies = arguments[RequestOption.cookie]
    for text in cookies {
      do {
        try check(cookie: text)
      } catch {
        throw arguments.rejection(of: RequestOption.cookie, error.words)
      }
    }
    return cookies.isEmpty ? headers : headers + [HeaderField("Cookie", cookies.joined(separator: "; "))]
  }

  static func header(_ text: String) throws(ValueProblem) -> HeaderField {
    try checkControls(in: text)
    guard let colon = text.firstIndex(of: ":") else {
      throw ValueProblem(words: "\(Printable.quoted(text)) is not of the form 'Name: value'")
    }
    let name = String(text[..<colon])
    guard !name.isEmpty, name.utf8.allSatisfy(isTokenByte) else {
      throw ValueProblem(words: "\(Printable.quoted(name)) is not the name of a header")
    }
    guard !reserved.contains(name.lowercased()) else {
      throw ValueProblem(words: "'\(name)' is not for users to set")
    }
    return HeaderField(name, text[text.index(after: colon)...].trimmingSpaces())
  }

  static func check(cookie text: String) throws(ValueProblem) {
    try checkControls(in: text)
    let name = text.prefix { $0 != "=" }
    guard name.utf8.count < text.utf8.count, !name.isEmpty, name.utf8.allSatisfy(isTokenByte),
      !text.contains(";")
    else { throw ValueProblem(words: "\(Printable.quoted(text)) is not of the form name=value") }
  }

  /// Line ends would add headers of their own.
  private static func checkControls(in text: String) throws(ValueProblem) {
    guard text.utf8.allSatisfy({ ($0 >= 0x20 && $0 != 0x7F) || $0 == 0x09 }) else {
      throw ValueProblem(words: "it holds a line end or another control character")
    }
  }

  /// A byte of a token (RFC 9110, section 5.6.2).
  private static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }
}
