extension Tape {
  func decodedString(_ node: TapeNode) -> String {
    node.hasEscapes
      ? String(decoding: decodedBytes(node), as: UTF8.self)
      : String(decoding: source[node.contents], as: UTF8.self)
  }

  /// The UTF-8 bytes a string node stands for.
  func decodedBytes(_ node: TapeNode) -> ArraySlice<UInt8> {
    guard node.hasEscapes else { return source[node.contents] }
    let source = source
    let span = source.span
    var output: [UInt8] = []
    output.reserveCapacity(node.contents.count)
    var runStart = node.contents.lowerBound
    var at = runStart
    while at < node.contents.upperBound {
      // The string was checked when it was read, so an escape that fails here cannot occur.
      guard source[at] == UInt8(ascii: "\\"), let escape = try? readEscape(in: span, at: at) else {
        at += 1
        continue
      }
      output.append(contentsOf: source[runStart..<at])
      output.append(contentsOf: escape.scalar.utf8)
      at = escape.end
      runStart = at
    }
    output.append(contentsOf: source[runStart..<node.contents.upperBound])
    return output[...]
  }

  /// Whether a string node stands for exactly these bytes; text is never normalised.
  func string(_ node: TapeNode, equals wanted: Span<UInt8>) -> Bool {
    let range = node.contents
    let source = source
    if node.hasEscapes {
      let decoded = decodedBytes(node)
      return areEqual(decoded.span, wanted)
    }
    return range.count == wanted.count && areEqual(source.span.extracting(range), wanted)
  }
}

/// Whether two runs of bytes are the same.
func areEqual(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
  guard left.count == right.count else { return false }
  for at in left.indices where left[at] != right[at] { return false }
  return true
}
