/// The mapping table of UTS 46: what becomes of each character of a name.
struct NameMapping: Sendable {
  private enum Rule {
    case valid
    case ignored
    case disallowed
    case shifted(Int)
    /// The first of every two becomes the second.
    case paired
    /// What each becomes stands in a row of `targets` from here.
    case listed(at: Int)
  }

  static let standard = NameMapping(table: nameMappingTable)

  private var rules = ScalarRanges<Rule>()
  private var targets: [Unicode.Scalar] = []
  /// Where the targets of each listed character end.
  private var targetEnds = [0]

  /// Expects what `scripts/generate-idna` writes; anything else is left out.
  init(table: String) {
    for var word in TableWord.words(of: table) {
      guard let start = word.number(), let rule = readRule(&word) else { continue }
      rules.append(rule, from: start)
    }
  }

  /// Names hold no code points but these.
  func isValid(_ scalar: Unicode.Scalar) -> Bool {
    switch rules.range(of: scalar) {
    case (_, .valid)?: true
    case (let start, .paired)?: !isFirstOfTwo(scalar, from: start)
    case (_, .ignored)?, (_, .disallowed)?, (_, .shifted)?, (_, .listed)?, nil: false
    }
  }

  /// The name as UTS 46 maps it; nil when it holds what names must not.
  func mapped(_ name: some Sequence<Unicode.Scalar>) -> [Unicode.Scalar]? {
    var result: [Unicode.Scalar] = []
    for scalar in name {
      guard let (start, rule) = rules.range(of: scalar) else { return nil }
      switch rule {
      case .valid: result.append(scalar)
      case .ignored: continue
      case .disallowed: return nil
      case .shifted(let distance): result.append(Self.scalar(scalar, shiftedBy: distance))
      case .paired: result.append(Self.scalar(scalar, shiftedBy: isFirstOfTwo(scalar, from: start) ? 1 : 0))
      case .listed(let first):
        let index = first + Int(scalar.value - start)
        result.append(contentsOf: targets[targetEnds[index]..<targetEnds[index + 1]])
      }
    }
    return result
  }

  private func isFirstOfTwo(_ scalar: Unicode.Scalar, from start: UInt32) -> Bool {
    (scalar.value - start).isMultiple(of: 2)
  }

  private static func scalar(_ scalar: Unicode.Scalar, shiftedBy distance: Int) -> Unicode.Scalar {
    Unicode.Scalar(UInt32(truncatingIfNeeded: Int(scalar.value) + distance)) ?? scalar
  }

  private mutating func readRule(_ word: inout TableWord) -> Rule? {
    switch word.sign() {
    case UInt8(ascii: "v"): return .valid
    case UInt8(ascii: "i"): return .ignored
    case UInt8(ascii: "x"): return .disallowed
    case UInt8(ascii: "p"): return .paired
    case UInt8(ascii: "s"): return word.number().map { .shifted(Int($0)) }
    case UInt8(ascii: "b"): return word.number().map { .shifted(-Int($0)) }
    case UInt8(ascii: "m"): return readList(&word)
    default: return nil
    }
  }

  private mutating func readList(_ word: inout TableWord) -> Rule {
    let first = targetEnds.count - 1
    while let target = word.scalar() {
      targets.append(target)
      if word.sign() != .plus { targetEnds.append(targets.count) }
    }
    return .listed(at: first)
  }
}
