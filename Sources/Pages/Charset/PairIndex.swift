import Iconv

/// What the pairs of bytes of an East Asian charset mean: the C library's table, corrected where the standard's differs.
struct PairIndex: Sendable {
  enum Name {
    case shiftJIS
    case jis0212
    case eucKR
    case big5
    case gb18030
  }

  static let shiftJIS = PairIndex(.shiftJIS, of: "CP932", leads: 0x81...0xFC, trails: 0x40...0xFC)
  static let jis0212 = PairIndex(
    .jis0212, of: "EUC-JP-MS", behind: 0x8F, leads: 0xA1...0xED, trails: 0xA1...0xFE)
  static let eucKR = PairIndex(.eucKR, of: "CP949", leads: 0x81...0xFE, trails: 0x41...0xFE)
  static let big5 = PairIndex(.big5, of: "BIG5-HKSCS", leads: 0x81...0xFE, trails: 0x40...0xFE)
  static let gb18030 = PairIndex(.gb18030, of: "GB18030", leads: 0x81...0xFE, trails: 0x40...0xFE)

  private let leads: ClosedRange<UInt8>
  private let trails: ClosedRange<UInt8>
  private var numbers: [UInt32]

  /// - Parameter prefix: A byte that goes before each pair.
  private init(
    _ name: Name, of table: String, behind prefix: UInt8? = nil, leads: ClosedRange<UInt8>,
    trails: ClosedRange<UInt8>
  ) {
    (self.leads, self.trails) = (leads, trails)
    numbers = Array(repeating: 0, count: leads.count * trails.count)
    read(table, behind: prefix.map { [$0] } ?? [])
    correct(Charset.corrections[name] ?? "")
  }

  /// The code point of a pair; 0 when it means nothing.
  subscript(lead: UInt8, trail: UInt8) -> UInt32 {
    guard leads.contains(lead), trails.contains(trail) else { return 0 }
    return numbers[place(lead, trail)]
  }

  /// A character by its row and cell in JIS X 0208, as EUC-JP counts them: Shift_JIS folds two rows into one.
  func jis0208(_ row: UInt8, _ cell: UInt8) -> UInt32 {
    guard (0xA1...0xFE).contains(row), (0xA1...0xFE).contains(cell) else { return 0 }
    let (lead, trail) = (Int(row - 0xA1) * 94 + Int(cell - 0xA1)).quotientAndRemainder(dividingBy: 188)
    return self[UInt8(lead + (lead < 0x1F ? 0x81 : 0xC1)), UInt8(trail + (trail < 0x3F ? 0x40 : 0x41))]
  }

  private func place(_ lead: UInt8, _ trail: UInt8) -> Int {
    Int(lead - leads.lowerBound) * trails.count + Int(trail - trails.lowerBound)
  }

  /// Takes what the C library makes of each pair; it stays empty where there is no such table.
  private mutating func read(_ table: String, behind prefix: [UInt8]) {
    guard var converter = try? Iconv(from: table, to: "UTF-8") else { return }
    for lead in leads {
      for trail in trails {
        var isBad = false
        let text = converter.convert(prefix + [lead, trail], limit: 16) { _, _ in
          isBad = true
          return Iconv.Substitute([])
        }
        let scalars = String(decoding: text, as: UTF8.self).unicodeScalars
        guard !isBad, scalars.count == 1, let only = scalars.first else { continue }
        numbers[place(lead, trail)] = only.value
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
