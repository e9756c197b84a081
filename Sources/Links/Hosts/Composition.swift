/// Canonical composition (NFC) of names that UTS 46 has mapped: of what may be decomposed, they hold primary composites
/// only.
struct Composition: Sendable {
  private struct Pair: Hashable {
    let first: Unicode.Scalar
    let second: Unicode.Scalar
  }

  static let standard = Composition(table: compositionTable)

  private var composites: [Pair: Unicode.Scalar] = [:]
  private var pairs: [Unicode.Scalar: Pair] = [:]

  /// Expects what `scripts/generate-idna` writes; anything else is left out.
  init(table: String) {
    for var word in TableWord.words(of: table) {
      guard let first = word.scalar(), word.sign() == .plus, let second = word.scalar(), word.sign() != nil,
        let composite = word.scalar()
      else { continue }
      composites[Pair(first: first, second: second)] = composite
      pairs[composite] = Pair(first: first, second: second)
    }
  }

  func composed(_ name: [Unicode.Scalar]) -> [Unicode.Scalar] {
    guard name.contains(where: { !$0.isASCII }) else { return name }
    return recomposed(ordered(name.flatMap(decomposed)))
  }

  private func decomposed(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
    if let jamo = Hangul.decomposed(scalar) { return jamo }
    guard let pair = pairs[scalar] else { return [scalar] }
    return decomposed(pair.first) + decomposed(pair.second)
  }

  /// Marks that stand together, sorted by their classes.
  private func ordered(_ scalars: [Unicode.Scalar]) -> [Unicode.Scalar] {
    var result: [Unicode.Scalar] = []
    var marks: [(place: Int, mark: Unicode.Scalar)] = []
    func sortMarks() {
      marks.sort { ($0.mark.combiningClass, $0.place) < ($1.mark.combiningClass, $1.place) }
      result.append(contentsOf: marks.map(\.mark))
      marks.removeAll()
    }
    for (place, scalar) in scalars.enumerated() {
      if scalar.combiningClass == 0 {
        sortMarks()
        result.append(scalar)
      } else {
        marks.append((place, scalar))
      }
    }
    sortMarks()
    return result
  }

  /// Joins each character to the last starter, where nothing between them is in the way.
  private func recomposed(_ scalars: [Unicode.Scalar]) -> [Unicode.Scalar] {
    var result: [Unicode.Scalar] = []
    var starter: Int?
    for scalar in scalars {
      let combiningClass = scalar.combiningClass
      if let starter, isNear(starter, combiningClass, in: result),
        let composite = composite(result[starter], scalar)
      {
        result[starter] = composite
        continue
      }
      if combiningClass == 0 { starter = result.count }
      result.append(scalar)
    }
    return result
  }

  private func isNear(_ starter: Int, _ combiningClass: UInt8, in result: [Unicode.Scalar]) -> Bool {
    guard starter + 1 < result.count, let last = result.last else { return true }
    return last.combiningClass < combiningClass
  }

  private func composite(_ first: Unicode.Scalar, _ second: Unicode.Scalar) -> Unicode.Scalar? {
    Hangul.composed(first, second) ?? composites[Pair(first: first, second: second)]
  }
}

extension Unicode.Scalar {
  fileprivate var combiningClass: UInt8 { properties.canonicalCombiningClass.rawValue }
}
