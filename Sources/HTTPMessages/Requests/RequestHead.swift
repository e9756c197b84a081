/// A request without its body. Texts are made when they are asked for.
public struct RequestHead: Sendable {
  public enum Method: String, Sendable {
    case get = "GET"
    case head = "HEAD"
    case post = "POST"
    case put = "PUT"
    case patch = "PATCH"
    case delete = "DELETE"
    case options = "OPTIONS"
    case other = ""
  }

  private let lines: HeadLines
  private let pathPlace: Range<Int>
  private let queryPlace: Range<Int>?

  public let method: Method
  /// Bytes of the body; nil when it comes in chunks, which tell its end.
  public let bodyLength: Int?
  /// Whether the client wants to send another request.
  public let keepsAlive: Bool
  /// Whether the client waits for 100 before it sends the body.
  public let expectsContinue: Bool

  init(_ lines: HeadLines) throws(Refusal) {
    self.lines = lines
    let host = try lines.only("host", else: .repeatedHost)
    guard host != nil || !lines.isVersion11 else { throw .missingHost }
    guard host?.isHost ?? true else { throw .malformedHost }
    bodyLength = try lines.bodyLength
    let expectation = try lines.only("expect", else: .unknownExpectation)
    guard expectation?.spells("100-continue") ?? true else { throw .unknownExpectation }
    expectsContinue = expectation != nil && lines.isVersion11
    keepsAlive = !lines.hasOption("close") && (lines.isVersion11 || lines.hasOption("keep-alive"))
    let name = String(decoding: lines.bytes[lines.method], as: UTF8.self)
    guard name != "CONNECT" else { throw .unknownMethod }
    method = Method(rawValue: name) ?? .other
    let rest = try lines.bytes[lines.target].pathAndQuery(isOptions: method == .options, host: host)
    let mark = rest.firstIndex(of: UInt8(ascii: "?"))
    pathPlace = rest.startIndex..<(mark ?? rest.endIndex)
    queryPlace = mark.map { $0 + 1..<rest.endIndex }
  }

  /// HTTP/1.1, and not 1.0.
  public var isVersion11: Bool { lines.isVersion11 }

  public var hasBody: Bool { bodyLength != 0 }

  /// As it was sent, such as `/v1/preview`; `*` when the request is about the server.
  public var path: String { pathPlace.isEmpty ? "/" : text(pathPlace) }

  /// What follows the question mark, as it was sent; nil when there is none.
  public var query: String? { queryPlace.map(text) }

  /// The pairs of the query in their order, decoded; nil when one has a bad escape.
  public var queryItems: [(name: String, value: String)]? {
    guard let queryPlace else { return [] }
    var items: [(name: String, value: String)] = []
    for part in lines.bytes[queryPlace].split(separator: UInt8(ascii: "&")) {
      let name = part.prefix { $0 != UInt8(ascii: "=") }
      guard let decoded = queryDecoded(name),
        let value = queryDecoded(part[name.endIndex...].dropFirst())
      else { return nil }
      items.append((decoded, value))
    }
    return items
  }

  /// The value of the first field of this name, which must be lower case.
  public subscript(_ name: String) -> String? {
    lines.fields.first { lines.bytes[$0.name].spells(name) }.map { text($0.value) }
  }

  /// The values of all fields of this name, which must be lower case.
  public func values(_ name: String) -> [String] {
    lines.fields.filter { lines.bytes[$0.name].spells(name) }.map { text($0.value) }
  }

  private func text(_ place: Range<Int>) -> String { String(decoding: lines.bytes[place], as: UTF8.self) }
}

/// What the fields say about where the request ends and what happens then.
extension HeadLines {
  fileprivate func only(_ name: String, else repeated: Refusal) throws(Refusal) -> ArraySlice<UInt8>? {
    var found: ArraySlice<UInt8>?
    for field in fields where bytes[field.name].spells(name) {
      guard found == nil else { throw repeated }
      found = bytes[field.value]
    }
    return found
  }

  fileprivate var bodyLength: Int? {
    get throws(Refusal) {
      let coding = try only("transfer-encoding", else: .repeatedCoding)
      let length = try only("content-length", else: .repeatedLength)
      guard coding == nil || length == nil else { throw .lengthAndCoding }
      if let coding {
        guard coding.spells("chunked") else { throw .unknownCoding }
        guard isVersion11 else { throw .codingInOldVersion }
        return nil
      }
      guard let length else { return 0 }
      guard 1...18 ~= length.count, length.allSatisfy(\.isDigit) else { throw .malformedLength }
      return length.reduce(0) { $0 * 10 + Int($1) - 0x30 }
    }
  }

  fileprivate func hasOption(_ option: String) -> Bool {
    fields.contains { field in
      bytes[field.name].spells("connection")
        && bytes[field.value].split(separator: UInt8(ascii: ",")).contains { $0.trimmed.spells(option) }
    }
  }
}

extension ArraySlice<UInt8> {
  /// Of a request target, which is a path, a whole link, or `*`.
  fileprivate func pathAndQuery(isOptions: Bool, host: ArraySlice?) throws(Refusal) -> ArraySlice {
    // `%00` ends a text early wherever C reads it.
    let hidesZero = indices.contains {
      self[$0] == UInt8(ascii: "%") && self[$0...].prefix(3).elementsEqual("%00".utf8)
    }
    guard !hidesZero else { throw .malformedTarget }
    if first == UInt8(ascii: "/") || isOptions && elementsEqual("*".utf8) { return self }
    let scheme = ["http://", "https://"].first { prefix($0.utf8.count).spells($0) }
    guard let scheme else { throw .malformedTarget }
    let rest = dropFirst(scheme.utf8.count)
    let authority = rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
    guard !authority.isEmpty else { throw .malformedTarget }
    // A whole link must name the host that `Host` names, or two programs could route it to two places.
    guard host.map({ $0.map(\.lowercased) == authority.map(\.lowercased) }) ?? true else { throw .otherHost }
    return rest[authority.endIndex...]
  }
}
