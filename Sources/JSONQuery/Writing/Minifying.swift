extension JSONValue {
  /// Appends the value on one line, without insignificant white space; numbers and escapes stay as written.
  public func writeMinified(into output: inout [UInt8]) {
    guard tape.isStream, index == 0 else { return writeSource(into: &output) }
    output.append(UInt8(ascii: "["))
    for (position, element) in elements.enumerated() {
      if position > 0 { output.append(UInt8(ascii: ",")) }
      element.writeSource(into: &output)
    }
    output.append(UInt8(ascii: "]"))
  }

  private func writeSource(into output: inout [UInt8]) {
    let range = node.range
    guard !tape.isMinified else {
      output.append(contentsOf: tape.source[range])
      return
    }
    let bytes = tape.source
    let source = bytes.span
    var runStart = range.lowerBound
    var at = runStart
    while at < range.upperBound {
      let byte = source[at]
      if byte == UInt8(ascii: "\"") {
        at = endOfCheckedString(in: source, from: at)
      } else if isWhitespace(byte) {
        output.append(contentsOf: bytes[runStart..<at])
        repeat { at += 1 } while at < range.upperBound && isWhitespace(source[at])
        runStart = at
      } else {
        at += 1
      }
    }
    output.append(contentsOf: bytes[runStart..<range.upperBound])
  }

  /// The value on one line, as text.
  public var minified: String {
    var output: [UInt8] = []
    writeMinified(into: &output)
    return String(decoding: output, as: UTF8.self)
  }
}

/// The end of a string that was already checked, past its closing quote.
private func endOfCheckedString(in source: Span<UInt8>, from start: Int) -> Int {
  var at = start + 1
  while source[at] != UInt8(ascii: "\"") {
    at += source[at] == UInt8(ascii: "\\") ? 2 : 1
  }
  return at + 1
}
