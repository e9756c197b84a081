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

/// The lines of a head, or of the fields behind a chunked body.
struct HeadLines: Sendable {
  /// All lines, without their ends.
  private(set) var bytes: [UInt8] = []
  private(set) var method = 0..<0
  private(set) var target = 0..<0
  private(set) var isVersion11 = false
  private(set) var fields: [(name: Range<Int>, value: Range<Int>)] = []
  private(set) var awaitsRequestLine: Bool
  private var hadEmptyLine = false
  /// How many bytes may still come.
  private(set) var room = 16 << 10

  private static let longestTarget = 8 << 10
  private static let mostFields = 64

  init(isTrailer: Bool = false) {
    awaitsRequestLine = !isTrailer
  }

  /// - Returns: Whether the head is whole.
  mutating func take(_ line: ArraySlice<UInt8>) throws(Refusal) -> Bool {
    room -= line.count + 2
    if awaitsRequestLine {
      // RFC 9112, 2.2: an empty line before the request is passed over.
      if line.isEmpty, !hadEmptyLine {
        hadEmptyLine = true
      } else {
        try takeRequestLine(line)
      }
      return false
    }
    guard let first = line.first else { return true }
    guard !first.isBlank else { throw .foldedField }
    try takeField(line)
    return false
  }

  private mutating func takeRequestLine(_ line: ArraySlice<UInt8>) throws(Refusal) {
    bytes.reserveCapacity(512)
    fields.reserveCapacity(16)
    bytes += line
    guard let space = bytes.firstIndex(of: .space), space > 0, bytes[..<space].allSatisfy(\.isTokenByte),
      let last = bytes[(space + 1)...].firstIndex(of: .space)
    else { throw .malformedRequestLine }
    (method, target) = (0..<space, space + 1..<last)
    let version = Array(bytes[(last + 1)...])
    guard version.count == 8, version.starts(with: "HTTP/".utf8), version[5].isDigit,
      version[6] == UInt8(ascii: "."), version[7].isDigit
    else { throw .malformedRequestLine }
    guard version[5] == UInt8(ascii: "1"), version[7] <= UInt8(ascii: "1") else { throw .unknownVersion }
    isVersion11 = version[7] == UInt8(ascii: "1")
    guard bytes[target].allSatisfy(\.isTargetByte) else { throw .malformedTarget }
    guard target.count <= Self.longestTarget else { throw .targetTooLong }
    awaitsRequestLine = false
  }

  private mutating func takeField(_ line: ArraySlice<UInt8>) throws(Refusal) {
    guard fields.count < Self.mostFields else { throw .tooManyFields }
    let start = bytes.count
    bytes += line
    guard let colon = bytes[start...].firstIndex(of: UInt8(ascii: ":")), colon > start,
      bytes[start..<colon].allSatisfy(\.isTokenByte)
    else { throw .malformedFieldName }
    let value = bytes[(colon + 1)...].trimmed
    guard value.allSatisfy(\.isValueByte) else { throw .malformedFieldValue }
    fields.append((start..<colon, value.startIndex..<value.endIndex))
  }
}

/// Why a request is refused. Nothing after it can be trusted to be a request, so the connection ends.
public struct Refusal: Error, Hashable, Sendable {
  public let reason: String
  /// Of the response.
  public let status: Int

  private init(_ reason: String, _ status: Int = 400) {
    (self.reason, self.status) = (reason, status)
  }

  public static let malformedRequestLine = Refusal("malformed request line")
  public static let malformedTarget = Refusal("malformed request target")
  public static let otherHost = Refusal("the request target names another host than Host")
  public static let targetTooLong = Refusal("request target too long", 414)
  public static let unknownVersion = Refusal("HTTP version not supported", 505)
  public static let unknownMethod = Refusal("method not supported", 501)
  public static let malformedLineEnd = Refusal("line not ended by CR LF")
  public static let malformedFieldName = Refusal("malformed field name")
  public static let malformedFieldValue = Refusal("control byte in a field")
  public static let foldedField = Refusal("folded field")
  public static let headTooLarge = Refusal("fields too large", 431)
  public static let tooManyFields = Refusal("too many fields", 431)
  public static let missingHost = Refusal("no Host")
  public static let repeatedHost = Refusal("more than one Host")
  public static let malformedHost = Refusal("malformed Host")
  public static let malformedLength = Refusal("malformed Content-Length")
  public static let repeatedLength = Refusal("more than one Content-Length")
  public static let unknownCoding = Refusal("transfer coding not supported", 501)
  public static let repeatedCoding = Refusal("more than one Transfer-Encoding")
  public static let lengthAndCoding = Refusal("both Content-Length and Transfer-Encoding")
  public static let codingInOldVersion = Refusal("Transfer-Encoding in HTTP/1.0")
  public static let unknownExpectation = Refusal("expectation not supported", 417)
  public static let malformedChunk = Refusal("malformed chunk")
  public static let extensionTooLong = Refusal("chunk extension too long")
  public static let bodyTooLarge = Refusal("body too large", 413)
}

/// The bytes that RFC 9110 and 9112 name.
extension UInt8 {
  static let tab: UInt8 = 0x09
  static let lineFeed: UInt8 = 0x0A
  static let carriageReturn: UInt8 = 0x0D
  static let space: UInt8 = 0x20

  /// Of a method or a field name.
  @inlinable public var isTokenByte: Bool {
    switch self {
    case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x30...0x39, 0x41...0x5A, 0x5E...0x7A, 0x7C, 0x7E: true
    default: false
    }
  }

  /// Of a method, or of the empty line that may stand before it.
  var mayBeginRequest: Bool { isTokenByte || self == .carriageReturn }

  /// Visible ASCII. A fragment never leaves the client.
  var isTargetByte: Bool { self > 0x20 && self < 0x7F && self != UInt8(ascii: "#") }

  /// Of a field value: no control byte but the tab.
  @inlinable public var isValueByte: Bool { self >= 0x20 && self != 0x7F || self == 0x09 }

  /// A control byte that no text has, by the MIME Sniffing standard.
  public var isBinary: Bool {
    switch self {
    case 0x00...0x08, 0x0B, 0x0E...0x1A, 0x1C...0x1F: true
    default: false
    }
  }

  var isDigit: Bool { 0x30...0x39 ~= self }

  var isBlank: Bool { self == .space || self == .tab }

  /// Of a name in `Host`.
  fileprivate var isHostByte: Bool {
    switch self {
    case 0x2D, 0x2E, 0x30...0x39, 0x41...0x5A, 0x5F, 0x61...0x7A, 0x7E: true
    default: false
    }
  }

  var lowercased: UInt8 { 0x41...0x5A ~= self ? self | 0x20 : self }

  var hexDigit: Int? {
    switch self {
    case 0x30...0x39: Int(self) - 0x30
    case 0x41...0x46: Int(self) - 0x37
    case 0x61...0x66: Int(self) - 0x57
    default: nil
    }
  }
}

extension Collection<UInt8> {
  /// Whether these bytes spell a lower-case word, in whichever case.
  func spells(_ word: String) -> Bool {
    let letters = word.utf8
    return count == letters.count && zip(self, letters).allSatisfy { $0.lowercased == $1 }
  }

  /// Without blanks at both ends.
  var trimmed: SubSequence {
    let start = drop { $0.isBlank }
    let last = start.indices.reversed().first { !start[$0].isBlank }
    return last.map { start[...$0] } ?? start.prefix(0)
  }
}

extension ArraySlice<UInt8> {
  /// Whether this is a name or an address, and perhaps a port.
  var isHost: Bool {
    var name = prefix { $0.isHostByte }
    if first == UInt8(ascii: "["), let end = firstIndex(of: UInt8(ascii: "]")) {
      name = self[startIndex...end]
      let address = name.dropFirst().dropLast()
      guard !address.isEmpty, address.allSatisfy({ $0.hexDigit != nil || $0 == 0x3A || $0 == 0x2E }) else {
        return false
      }
    }
    let port = self[name.endIndex...]
    return !name.isEmpty && (port.isEmpty || port.first == 0x3A && port.dropFirst().allSatisfy(\.isDigit))
  }
}

/// Decodes a part of a query as forms send it, where a plus is a space; nil for a bad escape, a zero byte, or what is not
/// UTF-8.
public func queryDecoded(_ bytes: some Sequence<UInt8>) -> String? {
  var decoded: [UInt8] = []
  var iterator = bytes.makeIterator()
  while let byte = iterator.next() {
    switch byte {
    case UInt8(ascii: "%"):
      guard let high = iterator.next()?.hexDigit, let low = iterator.next()?.hexDigit, high | low != 0 else {
        return nil
      }
      decoded.append(UInt8(high << 4 | low))
    case UInt8(ascii: "+"): decoded.append(.space)
    case 0: return nil
    default: decoded.append(byte)
    }
  }
  return String(validating: decoded, as: UTF8.self)
}
