internal import CommonMark

/// Where the parts of a Markdown document begin, in bytes.
///
/// The parser knows it nearly always. Where its place does not hold what the part begins with, the rest of the block is
/// searched, once at most without success.
struct MarkdownPlaces {
  private static let longestNeedle = 256

  private let bytes: [UInt8]
  /// Where each line begins, and the end.
  private var starts: [Int] = [0]
  private var lines = 0...0
  private var blockEnd = 0
  /// Behind the beginning of the last part.
  private var floor = 0
  /// Behind the last part.
  private var passed = 0
  private var isExhausted = false

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    for index in bytes.indices {
      let isEnd =
        bytes[index] == UInt8(ascii: "\n")
        || bytes[index] == UInt8(ascii: "\r") && !bytes[(index + 1)...].starts(with: [UInt8(ascii: "\n")])
      if isEnd { starts.append(index + 1) }
    }
    starts.append(bytes.count)
  }

  /// The bytes of a block's lines.
  func range(of lines: ClosedRange<Int>) -> Range<Int> {
    start(of: lines.lowerBound)..<start(of: lines.upperBound + 1)
  }

  mutating func place(of part: MarkdownPart) -> Int {
    enter(part.lines)
    let needles = Self.needles(of: part)
    if let guess = part.start.map(offset), guess >= floor, guess < blockEnd,
      needles.contains(where: { bytes[guess...].starts(with: $0) })
    {
      let end = part.end.map { offset($0) + 1 } ?? guess
      return found(at: guess, until: end <= blockEnd ? end : guess)
    }
    let from = part.start.map { max(floor, start(of: $0.line)) } ?? max(floor, passed)
    guard let needle = needles.last, !isExhausted, let place = search(needle, from: from) else {
      isExhausted = true
      return min(floor, max(0, bytes.count - 1))
    }
    return found(at: isOpened(before: place) ? place - 1 : place, until: place + needle.count)
  }

  /// An address in angle brackets begins with them.
  private func isOpened(before place: Int) -> Bool { place > floor && bytes[place - 1] == UInt8(ascii: "<") }

  private mutating func found(at place: Int, until end: Int) -> Int {
    floor = place + 1
    passed = max(passed, end)
    return place
  }

  private mutating func enter(_ lines: ClosedRange<Int>) {
    guard lines != self.lines else { return }
    let range = range(of: lines)
    self.lines = lines
    (floor, passed, blockEnd, isExhausted) = (range.lowerBound, range.lowerBound, range.upperBound, false)
  }

  private func start(of line: Int) -> Int { starts[min(max(line, 1), starts.count) - 1] }

  private func offset(_ place: MarkdownPart.Place) -> Int { start(of: place.line) + max(0, place.column - 1) }

  /// What a part may begin with; the last is what to look for.
  private static func needles(of part: MarkdownPart) -> [[UInt8]] {
    let text = Array(part.text.utf8.prefix(longestNeedle))
    switch part.kind {
    case .image: return [Array("![".utf8)]
    case .html, .htmlBlock: return [Array("<".utf8)]
    case .code: return [[]]
    case .link:
      let showsItself = !text.isEmpty && part.content.suffix(text.count).elementsEqual(text)
      let openings = [Array("<".utf8), Array("[".utf8)]
      return showsItself ? openings + [text] : openings
    }
  }

  private func search(_ needle: [UInt8], from start: Int) -> Int? {
    guard !needle.isEmpty else { return nil }
    var index = start
    while index < blockEnd {
      if bytes[index] == needle[0], bytes[index...].starts(with: needle) { return index }
      index += 1
    }
    return nil
  }
}
