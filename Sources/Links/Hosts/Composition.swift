/// Canonical composition (NFC) of a base and its marks, for the scripts whose letters are composed in names:
/// Latin, Greek, Cyrillic, Arabic, kana and Hangul.
enum Composition {
  static func composed(_ scalars: [Unicode.Scalar]) -> [Unicode.Scalar] {
    guard scalars.contains(where: isComposable) else { return scalars }
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars)
    var result: [Unicode.Scalar] = []
    for character in String(text) {
      result.append(contentsOf: composed(character))
    }
    return result
  }

  private static func isComposable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x1100...0x11FF, 0x1F00...0x1FFF: true
    default: scalar.properties.canonicalCombiningClass != .notReordered
    }
  }

  /// Equal characters are canonically equivalent, so the longest start of the cluster that equals a
  /// precomposed letter is replaced by it.
  private static func composed(_ cluster: Character) -> [Unicode.Scalar] {
    let scalars = Array(cluster.unicodeScalars)
    if let hangul = hangulSyllable(scalars) { return [hangul] }
    for length in stride(from: min(scalars.count, 4), to: 0, by: -1) {
      var start = String.UnicodeScalarView()
      start.append(contentsOf: scalars.prefix(length))
      if let letter = precomposed[String(start)] {
        return [letter] + scalars.dropFirst(length)
      }
    }
    return scalars
  }

  private static func hangulSyllable(_ jamo: [Unicode.Scalar]) -> Unicode.Scalar? {
    guard jamo.count == 2 || jamo.count == 3, (0x1100...0x1112).contains(jamo[0].value),
      (0x1161...0x1175).contains(jamo[1].value)
    else { return nil }
    var trailing: UInt32 = 0
    if jamo.count == 3 {
      guard (0x11A8...0x11C2).contains(jamo[2].value) else { return nil }
      trailing = jamo[2].value - 0x11A7
    }
    let leading = jamo[0].value - 0x1100
    let vowel = jamo[1].value - 0x1161
    return Unicode.Scalar(0xAC00 + (leading * 21 + vowel) * 28 + trailing)
  }

  /// Every letter of the ranges under its text; the first of several equivalent ones is the composed form.
  private static let precomposed: [String: Unicode.Scalar] = {
    var letters: [String: Unicode.Scalar] = [:]
    let ranges: [ClosedRange<UInt32>] = [
      0xC0...0x24F, 0x386...0x3CE, 0x400...0x4F9, 0x622...0x6D3, 0x1E00...0x1FFF, 0x304C...0x30FE,
    ]
    for value in ranges.joined() {
      guard let letter = Unicode.Scalar(value) else { continue }
      let text = String(letter)
      if letters[text] == nil { letters[text] = letter }
    }
    return letters
  }()
}
