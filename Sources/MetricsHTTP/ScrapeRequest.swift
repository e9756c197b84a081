/// What a request's first line asks for.
enum ScrapeRequest: Hashable {
  case get(String)
  case head(String)
  /// Nothing is changed here.
  case other
  case malformed

  /// Its head is there; a body is not read.
  static func isWhole(_ bytes: [UInt8]) -> Bool {
    let end: [UInt8] = [13, 10, 13, 10]
    guard bytes.count >= end.count else { return false }
    return (0...(bytes.count - end.count)).contains { bytes[$0...].starts(with: end) }
  }

  init(_ bytes: [UInt8]) {
    let line = bytes.prefix { $0 != 13 && $0 != 10 }
    let words = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    guard words.count == 3, words[1].first == UInt8(ascii: "/"), words[2].starts(with: Array("HTTP/1.".utf8))
    else {
      self = .malformed
      return
    }
    let path = String(decoding: words[1].prefix { $0 != UInt8(ascii: "?") }, as: UTF8.self)
    switch String(decoding: words[0], as: UTF8.self) {
    case "GET": self = .get(path)
    case "HEAD": self = .head(path)
    default: self = .other
    }
  }

  var isHead: Bool {
    if case .head = self { true } else { false }
  }
}
