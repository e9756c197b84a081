extension Span<UInt8> {
  /// The text of a range in which nothing needs decoding, cutting or collapsing: most attributes by far.
  func plainText(in range: Range<Int>, limit: Int) -> String? {
    guard range.count <= limit, !range.isEmpty else { return nil }
    var isBehindSpace = true
    for index in range {
      let byte = self[index]
      if byte <= .ampersand {
        if byte == .ampersand || byte < .space { return nil }
        if byte == .space {
          if isBehindSpace { return nil }
          isBehindSpace = true
          continue
        }
      }
      isBehindSpace = false
    }
    guard !isBehindSpace, let valid = try? UTF8Span(validating: extracting(range)) else { return nil }
    let text = String(copying: valid)
    return text.isBlank ? nil : text
  }
}
