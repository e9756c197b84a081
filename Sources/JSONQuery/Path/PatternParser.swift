/// Reads the grammar of RFC 9485.
struct PatternParser {
  private let source: [Unicode.Scalar]
  private var cursor = 0
  private var depth = 0

  private static let deepest = 64

  init(_ text: String) { source = Array(text.unicodeScalars) }

  mutating func readWholePattern() throws(PatternError) -> PatternTree {
    let tree = try readChoice()
    guard cursor == source.count else { throw .malformed }
    return tree
  }

  private mutating func readChoice() throws(PatternError) -> PatternTree {
    guard depth < Self.deepest else { throw .tooLarge }
    depth += 1
    defer { depth -= 1 }
    var branches = [try readBranch()]
    while take("|") { branches.append(try readBranch()) }
    return branches.count == 1 ? branches[0] : .choice(branches)
  }

  private mutating func readBranch() throws(PatternError) -> PatternTree {
    var pieces: [PatternTree] = []
    while let scalar = next, scalar != "|", scalar != ")" {
      cursor += 1
      pieces.append(try readQuantifier(of: readAtom(scalar)))
    }
    return pieces.count == 1 ? pieces[0] : .sequence(pieces)
  }

  private mutating func readAtom(_ first: Unicode.Scalar) throws(PatternError) -> PatternTree {
    switch first {
    case "(":
      let tree = try readChoice()
      guard take(")") else { throw .malformed }
      return tree
    case "[": return .one(try readBrackets())
    case "\\": return .one(try readEscape())
    case ".": return .one(.any)
    case "^": return .start
    case "$": return .end
    case "*", "+", "?", "{", "}", "]": throw .malformed
    default: return .one(CharacterClass(first))
    }
  }

  private mutating func readQuantifier(of tree: PatternTree) throws(PatternError) -> PatternTree {
    if take("*") { return .repeated(tree, atLeast: 0, atMost: nil) }
    if take("+") { return .repeated(tree, atLeast: 1, atMost: nil) }
    if take("?") { return .repeated(tree, atLeast: 0, atMost: 1) }
    guard take("{") else { return tree }
    guard let least = readCount() else { throw .malformed }
    var most: Int? = least
    if take(",") { most = readCount() }
    guard take("}"), most ?? least >= least else { throw .malformed }
    return .repeated(tree, atLeast: least, atMost: most)
  }

  /// Any number that is too large for a program is as good as another.
  private mutating func readCount() -> Int? {
    var count: Int?
    while let scalar = next, ("0"..."9").contains(scalar) {
      count = min((count ?? 0) * 10 + Int(scalar.value - 0x30), 1 << 30)
      cursor += 1
    }
    return count
  }

  private mutating func readBrackets() throws(PatternError) -> CharacterClass {
    var set = CharacterClass()
    // Alone, as in [^], it is the character.
    if next == "^", following != "]" {
      cursor += 1
      set.isNegated = true
    }
    if take("-") { set.ranges.append(0x2D...0x2D) }
    while !take("]") {
      guard let scalar = next else { throw .malformed }
      if scalar == "-" {
        guard following == "]", !set.isEmpty else { throw .malformed }
        set.ranges.append(0x2D...0x2D)
        cursor += 1
      } else {
        try readMember(of: &set)
      }
    }
    guard !set.isEmpty else { throw .malformed }
    return set.sorted
  }

  private mutating func readMember(of set: inout CharacterClass) throws(PatternError) {
    guard let low = try readClassCharacter(into: &set) else { return }
    var high = low
    if next == "-", let after = following, after != "]" {
      cursor += 1
      var other = CharacterClass()
      guard let end = try readClassCharacter(into: &other), end >= low else { throw .malformed }
      high = end
    }
    set.ranges.append(low.value...high.value)
  }

  /// One character, or nil for a category, which goes into the set right away.
  private mutating func readClassCharacter(
    into set: inout CharacterClass
  ) throws(PatternError) -> Unicode.Scalar? {
    guard let scalar = next, scalar != "[", scalar != "]", scalar != "-" else { throw .malformed }
    cursor += 1
    guard scalar == "\\" else { return scalar }
    if let categories = try readCategories() {
      set.categories.formUnion(categories)
      return nil
    }
    return try readSingleEscape()
  }

  private mutating func readEscape() throws(PatternError) -> CharacterClass {
    if let categories = try readCategories() { return CharacterClass(categories) }
    return CharacterClass(try readSingleEscape())
  }

  private mutating func readSingleEscape() throws(PatternError) -> Unicode.Scalar {
    guard let letter = next else { throw .malformed }
    cursor += 1
    switch letter {
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "(", ")", "*", "+", "-", ".", "?", "[", "\\", "]", "^", "{", "|", "}": return letter
    default: throw .malformed
    }
  }

  /// `\p{Lu}` and, for all others, `\P{Lu}`, behind the backslash.
  private mutating func readCategories() throws(PatternError) -> CategorySet? {
    let isNegated = next == "P"
    guard isNegated || next == "p" else { return nil }
    cursor += 1
    guard take("{") else { throw .malformed }
    var name = String.UnicodeScalarView()
    while let scalar = next, scalar != "}", name.count < 2 {
      name.append(scalar)
      cursor += 1
    }
    guard take("}"), let set = CategorySet(named: String(name)) else { throw .malformed }
    return isNegated ? set.complement : set
  }

  private var next: Unicode.Scalar? { cursor < source.count ? source[cursor] : nil }
  private var following: Unicode.Scalar? { cursor + 1 < source.count ? source[cursor + 1] : nil }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard next == scalar else { return false }
    cursor += 1
    return true
  }
}

extension CharacterClass {
  fileprivate var isEmpty: Bool { ranges.isEmpty && categories.isEmpty }
}
