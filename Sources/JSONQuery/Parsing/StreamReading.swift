import Posix

extension TapeBuilder {
  mutating func build(_ form: JSONForm, _ source: Span<UInt8>) throws(JSONError) {
    switch form {
    case .text: try build(source)
    case .lines:
      try buildArray(source) { builder, source throws(JSONError) in try builder.readLines(source) }
    case .sequence:
      try buildArray(source) { builder, source throws(JSONError) in try builder.readSequence(source) }
    }
  }

  /// Lays out an array that is not written around the texts that `read` finds.
  ///
  /// - Parameter read: Returns how many there are.
  private mutating func buildArray(
    _ source: Span<UInt8>,
    _ read: (inout TapeBuilder, Span<UInt8>) throws(JSONError) -> Int
  ) throws(JSONError) {
    try append(.array, upTo: cursor)
    let count = try read(&self, source)
    closeNode(0, at: source.count, count: count)
  }

  private mutating func readLines(_ source: Span<UInt8>) throws(JSONError) -> Int {
    var count = 0
    var line = 0
    while cursor < source.count {
      let end = source.firstIndex(of: UInt8(ascii: "\n"), from: cursor)
      line += 1
      if !isBlank(source, upTo: end) {
        do {
          try readText(source.extracting(first: end))
        } catch {
          throw JSONError(error.reason, at: error.offset, in: .line(line))
        }
        count += 1
      }
      startText(at: min(end + 1, source.count))
    }
    return count
  }

  private mutating func readSequence(_ source: Span<UInt8>) throws(JSONError) -> Int {
    var count = 0
    var number = 0
    while cursor < source.count {
      let isSeparator = source[cursor] == JSONForm.recordSeparator
      let start = cursor + (isSeparator ? 1 : 0)
      let end = source.firstIndex(of: JSONForm.recordSeparator, from: start)
      startText(at: start)
      if !isBlank(source, upTo: end) {
        number += 1
        let before = nodes.count
        do {
          try readText(source.extracting(first: end))
          try checkEnd(ofTextAt: before, source, end)
          count += 1
        } catch {
          passOver(JSONError(error.reason, at: error.offset, in: .text(number)), since: before)
        }
      }
      startText(at: end)
    }
    if count == 0, let first = skipped.first { throw first }
    return count
  }

  /// What ends with its last digit or letter may have been cut there, unless white space follows.
  private func checkEnd(ofTextAt index: Int, _ source: Span<UInt8>, _ end: Int) throws(JSONError) {
    switch nodes[index].kind {
    case .number, .bool, .null:
      guard isWhitespace(source[end - 1]) else { throw JSONError(.endsTooEarly, at: end) }
    case .string, .array, .object: break
    }
  }

  private func isBlank(_ source: Span<UInt8>, upTo end: Int) -> Bool {
    var at = cursor
    while at < end, isWhitespace(source[at]) { at += 1 }
    return at == end
  }
}
