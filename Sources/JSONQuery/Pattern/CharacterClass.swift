/// A set of characters: ranges, and general categories of Unicode.
struct CharacterClass: Sendable {
  var ranges: [ClosedRange<UInt32>] = []
  var categories = CategorySet()
  var isNegated = false

  init() {}

  init(_ scalar: Unicode.Scalar) { ranges = [scalar.value...scalar.value] }

  init(_ categories: CategorySet) { self.categories = categories }

  /// `.`: all but the ends of lines.
  static var any: CharacterClass {
    var all = CharacterClass()
    all.ranges = [0x0A...0x0A, 0x0D...0x0D]
    all.isNegated = true
    return all
  }

  func contains(_ scalar: Unicode.Scalar) -> Bool {
    for range in ranges where range.contains(scalar.value) { return !isNegated }
    guard !categories.isEmpty else { return isNegated }
    return categories.contains(CategorySet(scalar.properties.generalCategory)) != isNegated
  }
}

/// General categories, each a bit.
struct CategorySet: OptionSet, Sendable {
  let rawValue: UInt32

  init(rawValue: UInt32) { self.rawValue = rawValue }

  init(_ category: Unicode.GeneralCategory) {
    self = Self.bits[category] ?? []
  }

  /// The categories of a name such as `L`, which is all letters, or `Lu`; nil for names that RFC 9485 does not have.
  init?(named name: String) {
    var set: UInt32 = 0
    for (bit, category) in Self.all.enumerated()
    where category.name == name || category.name.prefix(1) == name {
      set |= 1 << UInt32(bit)
    }
    guard set != 0, name != "Cs" else { return nil }
    self.init(rawValue: set)
  }

  var complement: CategorySet { CategorySet(rawValue: ~rawValue) }

  private static let all: [(name: String, category: Unicode.GeneralCategory)] = [
    ("Lu", .uppercaseLetter), ("Ll", .lowercaseLetter), ("Lt", .titlecaseLetter),
    ("Lm", .modifierLetter), ("Lo", .otherLetter), ("Mn", .nonspacingMark),
    ("Mc", .spacingMark), ("Me", .enclosingMark), ("Nd", .decimalNumber),
    ("Nl", .letterNumber), ("No", .otherNumber), ("Pc", .connectorPunctuation),
    ("Pd", .dashPunctuation), ("Ps", .openPunctuation), ("Pe", .closePunctuation),
    ("Pi", .initialPunctuation), ("Pf", .finalPunctuation), ("Po", .otherPunctuation),
    ("Sm", .mathSymbol), ("Sc", .currencySymbol), ("Sk", .modifierSymbol),
    ("So", .otherSymbol), ("Zs", .spaceSeparator), ("Zl", .lineSeparator),
    ("Zp", .paragraphSeparator), ("Cc", .control), ("Cf", .format),
    ("Cs", .surrogate), ("Co", .privateUse), ("Cn", .unassigned),
  ]

  private static let bits = Dictionary(
    uniqueKeysWithValues: all.enumerated().map { ($1.category, CategorySet(rawValue: 1 << UInt32($0))) })
}
