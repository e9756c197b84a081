/// The first line and the headers of an HTTP/1.1 request.
package struct RequestHead: Hashable, Sendable {
  /// The method as it was sent.
  package var method: String
  /// The request target as it was sent, query included.
  package var target: String
  /// Header fields in order, names in lower case.
  package var headers: [Header]

  /// One header field.
  package struct Header: Hashable, Sendable {
    /// The field's name in lower case.
    package var name: String
    /// The field's value without the white space before it.
    package var value: String
  }

  /// Reads the lines before the empty one; nil for what is no request.
  init?(_ bytes: ArraySlice<UInt8>) {
    var lines = String(decoding: bytes, as: UTF8.self).split(separator: "\r\n").makeIterator()
    guard let words = lines.next()?.split(separator: " "), words.count == 3, words[2].hasPrefix("HTTP/1.")
    else {
      return nil
    }
    method = String(words[0])
    target = String(words[1])
    headers = []
    while let line = lines.next() {
      guard let colon = line.firstIndex(of: ":") else { return nil }
      let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
      headers.append(Header(name: line[..<colon].lowercased(), value: String(value)))
    }
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
