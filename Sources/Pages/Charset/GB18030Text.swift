/// GBK and GB 18030, which are decoded alike: pairs, and four bytes for what no pair stands for.
enum GB18030Text {
  private static let runs: [(number: Int, first: UInt32)] = Charset.fourByteRuns.split(separator: " ").map {
    let parts = $0.split(separator: ":")
    return (Int(parts[0]) ?? 0, UInt32(parts[1], radix: 16) ?? 0xFFFD)
  }

  static func utf8(from source: [UInt8]) -> [UInt8] {
    let index = PairIndex.gb18030
    var text = UTF8Text(expecting: source.count)
    var position = 0
    while position < source.count {
      text.appendASCII(of: source, from: &position)
      guard position < source.count else { break }
      let lead = source[position]
      position += 1
      guard lead != 0x80 else {
        text.append(0x20AC)
        continue
      }
      guard lead != 0xFF, position < source.count else {
        text.appendReplacement()
        continue
      }
      let trail = source[position]
      if (0x30...0x39).contains(trail) {
        position += appendFour(source, at: position - 1, to: &text)
        continue
      }
      let number = index[lead, trail]
      if number != 0 { text.append(number) } else { text.appendReplacement() }
      if number != 0 || trail >= 0x80 { position += 1 }
    }
    return text.bytes
  }

  /// - Returns: How many bytes behind the lead belong to it.
  private static func appendFour(_ source: [UInt8], at start: Int, to text: inout UTF8Text) -> Int {
    let count = source.count - start
    guard count > 2 else {
      text.appendReplacement()
      return 1
    }
    let (third, fourth) = (source[start + 2], count > 3 ? source[start + 3] : nil)
    guard (0x81...0xFE).contains(third) else {
      text.appendReplacement()
      return 0
    }
    guard let fourth else {
      text.appendReplacement()
      return 2
    }
    guard (0x30...0x39).contains(fourth), let number = number(source[start], source[start + 1], third, fourth)
    else {
      text.appendReplacement()
      return (0x30...0x39).contains(fourth) ? 3 : 0
    }
    text.append(number)
    return 3
  }

  private static func number(_ a: UInt8, _ b: UInt8, _ c: UInt8, _ d: UInt8) -> UInt32? {
    let hundreds = (Int(a) - 0x81) * 10 + Int(b) - 0x30
    let place = (hundreds * 126 + Int(c) - 0x81) * 10 + Int(d) - 0x30
    guard place < 39_420 || (189_000...1_237_575).contains(place) else { return nil }
    guard let run = runs.last(where: { $0.number <= place }) else { return nil }
    return run.first + UInt32(place - run.number)
  }
}
