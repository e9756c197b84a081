/// The URL standard's parser, cut down to what can end in an http or https URL.
enum URLParser {
  static func parse(_ input: Span<UInt8>, base: WebURL?) throws(LinkError) -> WebURL {
    guard input.count <= WebURL.maximumLength else {
      throw .tooLong(limit: WebURL.maximumLength)
    }
    let trimmed = input.extracting(trimmedRange(of: input))
    guard containsTabOrLineBreak(trimmed) else { return try parseClean(trimmed, base: base) }
    var kept: [UInt8] = []
    kept.reserveCapacity(trimmed.count)
    for index in trimmed.indices where !trimmed[index].isTabOrLineBreak {
      kept.append(trimmed[index])
    }
    return try parseClean(kept.span, base: base)
  }

  /// The input without C0 controls and spaces at both ends.
  private static func trimmedRange(of input: Span<UInt8>) -> Range<Int> {
    var start = 0
    var end = input.count
    while start < end, input[start] <= .space { start += 1 }
    while end > start, input[end - 1] <= .space { end -= 1 }
    return start..<end
  }

  private static func containsTabOrLineBreak(_ input: Span<UInt8>) -> Bool {
    for index in input.indices where input[index].isTabOrLineBreak { return true }
    return false
  }

  private static func parseClean(_ input: Span<UInt8>, base: WebURL?) throws(LinkError) -> WebURL {
    guard let colon = schemeEnd(of: input) else {
      guard let base else { throw input.isEmpty ? .empty : .notAURL }
      return try parseRelative(input, from: 0, base: base)
    }
    guard let scheme = knownScheme(input.extracting(0..<colon)) else {
      throw .unsupportedScheme(printableScheme(input.extracting(0..<colon)))
    }
    let rest = colon + 1
    if let base, base.scheme == scheme, !hasTwoSlashes(input, at: rest) {
      return try parseRelative(input, from: rest, base: base)
    }
    return try parseAuthority(input, from: skippingSlashes(input, from: rest), scheme: scheme)
  }

  /// Where the colon after a scheme stands; nil when the input does not start with a scheme.
  private static func schemeEnd(of input: Span<UInt8>) -> Int? {
    guard !input.isEmpty, input[0].isASCIILetter else { return nil }
    for index in input.indices {
      switch input[index] {
      case .colon: return index
      case .plus, .hyphen, .dot: continue
      case let byte where byte.isASCIILetter || byte.isASCIIDigit: continue
      default: return nil
      }
    }
    return nil
  }

  private static func knownScheme(_ name: Span<UInt8>) -> Scheme? {
    guard name.count == 4 || name.count == 5 else { return nil }
    let http = "http".utf8.span
    for index in http.indices where name[index].asciiLowercased != http[index] { return nil }
    if name.count == 4 { return .http }
    return name[4].asciiLowercased == UInt8(ascii: "s") ? .https : nil
  }

  /// Schemes are short; a hostile one is cut so that it does not flood messages.
  private static func printableScheme(_ name: Span<UInt8>) -> String {
    var bytes: [UInt8] = []
    for index in 0..<min(name.count, 40) {
      bytes.append(name[index].asciiLowercased)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func parseAuthority(
    _ input: Span<UInt8>, from start: Int, scheme: Scheme
  ) throws(LinkError) -> WebURL {
    var composer = URLComposer(scheme: scheme, capacity: input.count + 9)
    let end = authorityEnd(input, from: start)
    try composer.appendAuthority(input.extracting(start..<end))
    return try parsePath(input, from: end, into: &composer)
  }

  private static func parseRelative(
    _ input: Span<UInt8>, from start: Int, base: WebURL
  ) throws(LinkError) -> WebURL {
    guard start < input.count else { return base.withFragment(nil) }
    switch input[start] {
    case .slash, .backslash:
      let next = start + 1
      if next < input.count, isSlash(input[next]) {
        return try parseAuthority(input, from: skippingSlashes(input, from: next), scheme: base.scheme)
      }
      var composer = URLComposer(base, upTo: .origin, capacity: input.count)
      return try parsePath(input, from: start, into: &composer)
    case .question:
      var composer = URLComposer(base, upTo: .path, capacity: input.count)
      return try parseQuery(input, from: start, into: &composer)
    case .hash:
      var composer = URLComposer(base, upTo: .query, capacity: input.count)
      composer.appendFragment(input.extracting((start + 1)...))
      return try composer.finish()
    default:
      var composer = URLComposer(base, upTo: .path, capacity: input.count)
      composer.removeLastSegment()
      return try parsePath(input, from: start, into: &composer)
    }
  }

  private static func parsePath(
    _ input: Span<UInt8>, from start: Int, into composer: inout URLComposer
  ) throws(LinkError) -> WebURL {
    let hasSlash = start < input.count && isSlash(input[start])
    let end = composer.appendPath(input, from: hasSlash ? start + 1 : start)
    return try parseQuery(input, from: end, into: &composer)
  }

  private static func parseQuery(
    _ input: Span<UInt8>, from start: Int, into composer: inout URLComposer
  ) throws(LinkError) -> WebURL {
    var end = start
    if start < input.count, input[start] == .question {
      while end < input.count, input[end] != .hash { end += 1 }
      composer.appendQuery(input.extracting((start + 1)..<end))
    }
    if end < input.count {
      composer.appendFragment(input.extracting((end + 1)...))
    }
    return try composer.finish()
  }

  private static func isSlash(_ byte: UInt8) -> Bool {
    byte == .slash || byte == .backslash
  }

  private static func hasTwoSlashes(_ input: Span<UInt8>, at index: Int) -> Bool {
    index + 1 < input.count && input[index] == .slash && input[index + 1] == .slash
  }

  private static func skippingSlashes(_ input: Span<UInt8>, from start: Int) -> Int {
    var index = start
    while index < input.count, isSlash(input[index]) { index += 1 }
    return index
  }

  private static func authorityEnd(_ input: Span<UInt8>, from start: Int) -> Int {
    var index = start
    while index < input.count {
      switch input[index] {
      case .slash, .backslash, .question, .hash: return index
      default: index += 1
      }
    }
    return index
  }
}

extension BidirectionalCollection {
  /// What is left without the padding at both ends.
  public func trimming(while isPadding: (Element) -> Bool) -> SubSequence {
    let start = drop(while: isPadding)
    return start.lastIndex { !isPadding($0) }.map { start[...$0] } ?? start.prefix(0)
  }
}
