/// Parts of a path that URLs resolve: `.` and `..`, each dot also as `%2e` (WHATWG URL, 4.1).
enum DotSegments {
  /// Whether a value of an answer made such a part, alone or with what stands around it. A value that begins the address
  /// names all of it, so it may hold them.
  static func areMade(by values: [Range<Int>], in address: [UInt8]) -> Bool {
    let values = values.filter { $0.lowerBound > 0 }
    guard !values.isEmpty else { return false }
    let end = address.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? address.count
    return address[..<end].split(separator: UInt8(ascii: "/")).contains { part in
      isDots(part) && values.contains { $0.lowerBound <= part.endIndex && $0.upperBound >= part.startIndex }
    }
  }

  private static func isDots(_ part: ArraySlice<UInt8>) -> Bool {
    guard part.count <= 6 else { return false }
    let text = String(decoding: part, as: UTF8.self).lowercased().replacing("%2e", with: ".")
    return text == "." || text == ".."
  }
}
