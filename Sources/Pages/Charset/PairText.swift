import Iconv

/// Charsets of single bytes and pairs: Shift_JIS, EUC-KR and Big5, decoded as the Encoding standard says.
enum PairText {
  static func shiftJIS(_ source: [UInt8]) -> [UInt8] {
    let index = PairIndex.shiftJIS
    let single = { (byte: UInt8) -> UInt32? in
      switch byte {
      case ...0x80: 0x80
      case 0xA1...0xDF: 0xFF61 + UInt32(byte - 0xA1)
      case 0xA0, 0xFD...: 0xFFFD
      default: nil
      }
    }
    return utf8(from: source, single) { lead, trail, text in append(index[lead, trail], to: &text) }
  }

  static func eucKR(_ source: [UInt8]) -> [UInt8] {
    let index = PairIndex.eucKR
    return utf8(from: source, single) { lead, trail, text in append(index[lead, trail], to: &text) }
  }

  static func big5(_ source: [UInt8]) -> [UInt8] {
    let index = PairIndex.big5
    return utf8(from: source, single) { lead, trail, text in
      guard let (letter, mark) = accented(lead, trail) else { return append(index[lead, trail], to: &text) }
      text.append(letter)
      text.append(mark)
      return true
    }
  }

  private static func single(_ byte: UInt8) -> UInt32? { byte == 0x80 || byte == 0xFF ? 0xFFFD : nil }

  /// The four pairs of Big5 that stand for a letter and a mark above it.
  private static func accented(_ lead: UInt8, _ trail: UInt8) -> (UInt32, UInt32)? {
    guard lead == 0x88 else { return nil }
    switch trail {
    case 0x62: return (0xCA, 0x304)
    case 0x64: return (0xCA, 0x30C)
    case 0xA3: return (0xEA, 0x304)
    case 0xA5: return (0xEA, 0x30C)
    default: return nil
    }
  }

  /// - Returns: Whether the pair means something.
  private static func append(_ number: UInt32?, to text: inout UTF8Text) -> Bool {
    guard let number else { return false }
    text.append(number)
    return true
  }

  /// A pair that means nothing is one bad character, but an ASCII byte is never swallowed.
  ///
  /// - Parameter single: What a byte stands for; nil for one that begins a pair.
  private static func utf8(
    from source: [UInt8], _ single: (UInt8) -> UInt32?,
    pair: (_ lead: UInt8, _ trail: UInt8, inout UTF8Text) -> Bool
  ) -> [UInt8] {
    UTF8Text.decoding(source) { lead, position, text in
      if let number = single(lead) { return text.append(number) }
      guard position < source.count else { return text.append(0xFFFD) }
      let isKnown = pair(lead, source[position], &text)
      if !isKnown { text.append(0xFFFD) }
      if isKnown || source[position] >= 0x80 { position += 1 }
    }
  }
}

/// What the pairs of bytes of an East Asian charset mean: the C library's table, corrected where the standard's differs.
struct PairIndex: Sendable {
  static let shiftJIS = PairIndex(of: "CP932", leads: 0x81...0xFC, trails: 0x40...0xFC)
  static let jis0212 = PairIndex(
    of: "EUC-JP-MS", behind: 0x8F, leads: 0xA1...0xED, trails: 0xA1...0xFE)
  static let eucKR = PairIndex(of: "CP949", leads: 0x81...0xFE, trails: 0x41...0xFE)
  static let big5 = PairIndex(of: "BIG5-HKSCS", leads: 0x81...0xFE, trails: 0x40...0xFE)
  static let gb18030 = PairIndex(of: "GB18030", leads: 0x81...0xFE, trails: 0x40...0xFE)

  /// Whether the C library has the table; without it hardly any pair means something.
  private(set) var isAvailable = false
  private let leads: ClosedRange<UInt8>
  private let trails: ClosedRange<UInt8>
  private var numbers: [UInt32]

  /// - Parameter prefix: A byte that goes before each pair.
  init(
    of table: String, behind prefix: UInt8? = nil, leads: ClosedRange<UInt8>, trails: ClosedRange<UInt8>
  ) {
    (self.leads, self.trails) = (leads, trails)
    numbers = Array(repeating: 0, count: leads.count * trails.count)
    read(table, behind: prefix.map { [$0] } ?? [])
    correct(Charset.corrections[table] ?? "")
  }

  /// The code point of a pair; nil when it means nothing.
  subscript(lead: UInt8, trail: UInt8) -> UInt32? {
    guard leads.contains(lead), trails.contains(trail) else { return nil }
    let number = numbers[place(lead, trail)]
    return number == 0 ? nil : number
  }

  /// A character by its row and cell in JIS X 0208, as EUC-JP counts them: Shift_JIS folds two rows into one.
  func jis0208(_ row: UInt8, _ cell: UInt8) -> UInt32? {
    guard (0xA1...0xFE).contains(row), (0xA1...0xFE).contains(cell) else { return nil }
    let (lead, trail) = (Int(row - 0xA1) * 94 + Int(cell - 0xA1)).quotientAndRemainder(dividingBy: 188)
    return self[UInt8(lead + (lead < 0x1F ? 0x81 : 0xC1)), UInt8(trail + (trail < 0x3F ? 0x40 : 0x41))]
  }

  private func place(_ lead: UInt8, _ trail: UInt8) -> Int {
    Int(lead - leads.lowerBound) * trails.count + Int(trail - trails.lowerBound)
  }

  /// Takes what the C library makes of each pair; it stays empty where there is no such table.
  private mutating func read(_ table: String, behind prefix: [UInt8]) {
    guard var converter = Iconv(from: table) else { return }
    isAvailable = true
    for lead in leads {
      for trail in trails {
        numbers[place(lead, trail)] = converter.codePoint(of: prefix + [lead, trail]) ?? 0
      }
    }
  }

  private mutating func correct(_ corrections: String) {
    for word in corrections.split(separator: " ") {
      let parts = word.split(separator: ":")
      guard let pair = UInt16(parts[0], radix: 16), let number = UInt32(parts[1], radix: 16) else { continue }
      numbers[place(UInt8(pair >> 8), UInt8(pair & 0xFF))] = number
    }
  }
}

/// GBK and GB 18030, which are decoded alike: pairs, and four bytes for what no pair stands for.
enum GB18030Text {
  private static let runs: [(number: Int, first: UInt32)] = Charset.fourByteRuns.split(separator: " ").map {
    let parts = $0.split(separator: ":")
    return (Int(parts[0]) ?? 0, UInt32(parts[1], radix: 16) ?? 0xFFFD)
  }

  static func utf8(from source: [UInt8]) -> [UInt8] {
    let index = PairIndex.gb18030
    return UTF8Text.decoding(source) { lead, position, text in
      guard lead != 0x80 else { return text.append(0x20AC) }
      guard lead != 0xFF, position < source.count else { return text.append(0xFFFD) }
      let trail = source[position]
      if digits.contains(trail) {
        let (number, count) = four(source, at: position - 1)
        text.append(number ?? 0xFFFD)
        position += count
        return
      }
      let number = index[lead, trail]
      text.append(number ?? 0xFFFD)
      if number != nil || trail >= 0x80 { position += 1 }
    }
  }

  private static let digits: ClosedRange<UInt8> = 0x30...0x39

  /// - Returns: With the code point, if there is one, how many bytes behind the lead belong to it.
  private static func four(_ source: [UInt8], at start: Int) -> (number: UInt32?, count: Int) {
    let rest = source.count - start
    guard rest > 2 else { return (nil, 1) }
    let third = source[start + 2]
    guard (0x81...0xFE).contains(third) else { return (nil, 0) }
    guard rest > 3 else { return (nil, 2) }
    let fourth = source[start + 3]
    guard digits.contains(fourth) else { return (nil, 0) }
    return (number(source[start], source[start + 1], third, fourth), 3)
  }

  private static func number(_ a: UInt8, _ b: UInt8, _ c: UInt8, _ d: UInt8) -> UInt32? {
    let hundreds = (Int(a) - 0x81) * 10 + Int(b) - 0x30
    let place = (hundreds * 126 + Int(c) - 0x81) * 10 + Int(d) - 0x30
    guard place < 39_420 || (189_000...1_237_575).contains(place) else { return nil }
    guard let run = runs.last(where: { $0.number <= place }) else { return nil }
    return run.first + UInt32(place - run.number)
  }
}

/// EUC-JP: pairs, half-width katakana behind 0x8E and the pairs of a second table behind 0x8F.
enum EUCJPText {
  static func utf8(from source: [UInt8]) -> [UInt8] {
    let (first, second) = (PairIndex.shiftJIS, PairIndex.jis0212)
    return UTF8Text.decoding(source) { lead, position, text in
      var lead = lead
      var isSecond = false
      if lead == 0x8F, position < source.count, (0xA1...0xFE).contains(source[position]) {
        (lead, isSecond) = (source[position], true)
        position += 1
      }
      guard lead == 0x8E || (0xA1...0xFE).contains(lead), position < source.count else {
        text.append(0xFFFD)
        // A byte that can be neither lead nor trail is bad by itself, unless it ends what a lead began.
        if lead == 0x8F, position < source.count, source[position] >= 0x80 { position += 1 }
        return
      }
      let trail = source[position]
      let isKatakana = lead == 0x8E && (0xA1...0xDF).contains(trail)
      let kanji = isSecond ? second[lead, trail] : first.jis0208(lead, trail)
      text.append(isKatakana ? 0xFF61 + UInt32(trail - 0xA1) : kanji ?? 0xFFFD)
      if trail >= 0x80 { position += 1 }
    }
  }
}

/// ISO-2022-JP, in which escape sequences say what the bytes that follow mean.
enum ISO2022JPText {
  private enum Shift {
    case ascii
    case roman
    case katakana
    case kanji
  }

  static func utf8(from source: [UInt8]) -> [UInt8] {
    let index = PairIndex.shiftJIS
    var text = UTF8Text(expecting: source.count * 2)
    var shift = Shift.ascii
    /// Nothing stood between the last escape sequence and this place.
    var hasJustShifted = false
    var position = 0
    while position < source.count {
      let byte = source[position]
      position += 1
      if byte == 0x1B {
        guard let next = self.shift(of: source, at: position) else {
          hasJustShifted = false
          text.append(0xFFFD)
          continue
        }
        position += 2
        shift = next
        if hasJustShifted { text.append(0xFFFD) }
        hasJustShifted = true
        continue
      }
      hasJustShifted = false
      let isPrintable = (0x21...0x7E).contains(byte)
      switch shift {
      case .ascii where byte < 0x80 && !isShift(byte): text.append(UInt32(byte))
      case .roman where byte < 0x80 && !isShift(byte): text.append(roman(byte))
      case .katakana where (0x21...0x5F).contains(byte): text.append(0xFF61 + UInt32(byte - 0x21))
      case .kanji where isPrintable: appendKanji(byte, source, &position, index, &text)
      case .ascii, .roman, .katakana, .kanji: text.append(0xFFFD)
      }
    }
    return text.bytes
  }

  private static func appendKanji(
    _ lead: UInt8, _ source: [UInt8], _ position: inout Int, _ index: PairIndex, _ text: inout UTF8Text
  ) {
    guard position < source.count, source[position] != 0x1B else { return text.append(0xFFFD) }
    let trail = source[position]
    position += 1
    let number = (0x21...0x7E).contains(trail) ? index.jis0208(lead | 0x80, trail | 0x80) : nil
    text.append(number ?? 0xFFFD)
  }

  private static func isShift(_ byte: UInt8) -> Bool { byte == 0x0E || byte == 0x0F }

  /// Two signs differ from ASCII.
  private static func roman(_ byte: UInt8) -> UInt32 {
    switch byte {
    case 0x5C: 0xA5
    case 0x7E: 0x203E
    default: UInt32(byte)
    }
  }

  private static func shift(of source: [UInt8], at position: Int) -> Shift? {
    guard position + 1 < source.count else { return nil }
    switch (source[position], source[position + 1]) {
    case (0x28, 0x42): return .ascii
    case (0x28, 0x4A): return .roman
    case (0x28, 0x49): return .katakana
    case (0x24, 0x40), (0x24, 0x42): return .kanji
    default: return nil
    }
  }
}
