/// The first line and the headers of an HTTP/1.1 request.
package struct RequestHead: Hashable, Sendable {
  /// The method as it was sent.
  package var method: String
  /// The request target as it was sent, query included.
  package var target: String
  /// Header fields in order, names in lower case.
  package var headers: [Header]
  /// Bytes of the body that follows.
  let bodyBytes: Int

  /// One header field.
  package struct Header: Hashable, Sendable {
    /// The field's name in lower case.
    package var name: String
    /// The field's value without the white space around it.
    package var value: String
  }

  /// A request that is not answered, because two readers could take it for different requests (RFC 9112).
  enum Refusal: Int, Error {
    case malformed = 400
    case noLength = 411
  }

  /// Reads the lines before the empty one.
  init(_ bytes: ArraySlice<UInt8>) throws(Refusal) {
    var lines = try Self.lines(bytes).makeIterator()
    let words = (lines.next() ?? "").split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 3, words[0].isToken, words[1].utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
      !words[1].isEmpty, words[2] == "HTTP/1.1" || words[2] == "HTTP/1.0"
    else { throw .malformed }
    method = String(words[0])
    target = String(words[1])
    headers = []
    while let line = lines.next() {
      // A name is never empty, so a folded line is refused too.
      guard let colon = line.firstIndex(of: ":"), line[..<colon].isToken else { throw .malformed }
      let value = line[line.index(after: colon)...].trimmed
      headers.append(Header(name: line[..<colon].lowercased(), value: String(value)))
    }
    let isNewer = words[2] == "HTTP/1.1"
    let hosts = headers.count { $0.name == "host" }
    guard hosts == 1 || hosts == 0 && !isNewer else { throw .malformed }
    bodyBytes = try Self.bodyBytes(headers)
  }

  private static func lines(_ bytes: ArraySlice<UInt8>) throws(Refusal) -> [Substring] {
    let lines = String(decoding: bytes, as: UTF8.self).split(
      separator: "\r\n", omittingEmptySubsequences: false)
    let isControlled = lines.contains { $0.utf8.contains { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F } }
    guard !isControlled else { throw .malformed }
    return lines
  }

  /// Chunks are not read: a body needs a length.
  private static func bodyBytes(_ headers: [Header]) throws(Refusal) -> Int {
    let lengths = headers.filter { $0.name == "content-length" }.map(\.value)
    let isCoded = headers.contains { $0.name == "transfer-encoding" }
    guard lengths.count <= (isCoded ? 0 : 1) else { throw .malformed }
    guard !isCoded else { throw .noLength }
    guard let length = lengths.first else { return 0 }
    guard length.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let bytes = Int(length) else {
      throw .malformed
    }
    return bytes
  }

  /// The first value of a header field, by its name in lower case.
  package func header(_ name: String) -> String? {
    headers.first { $0.name == name }?.value
  }

  /// The target without its query.
  package var path: String {
    String(target.prefix { $0 != "?" })
  }

  /// The value of a query parameter as it was sent; nothing is decoded.
  package func query(_ name: String) -> String? {
    for pair in target.drop(while: { $0 != "?" }).dropFirst().split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2, parts[0] == name { return String(parts[1]) }
    }
    return nil
  }
}

extension Substring {
  /// What may be a method or the name of a field (RFC 9110, section 5.6.2).
  fileprivate var isToken: Bool {
    !isEmpty
      && utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
      }
  }

  fileprivate var trimmed: Substring {
    let isBlank = { (character: Character) in character == " " || character == "\t" }
    let start = drop(while: isBlank)
    return start.lastIndex { !isBlank($0) }.map { start[...$0] } ?? start
  }
}
