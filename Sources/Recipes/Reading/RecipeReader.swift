import JSONQuery

/// Reads a text as a recipe and collects whatever is wrong with it.
struct RecipeReader {
  let source: SourceText
  private(set) var problems: [RecipeProblem] = []
  var names = RecipeNames()

  init(_ bytes: [UInt8]) { source = SourceText(bytes) }

  mutating func tell(_ message: String, at offset: Int) {
    problems.append(source.problem(at: offset, message))
  }

  mutating func tell(_ message: String, at value: JSONValue) { tell(message, at: value.offset) }

  mutating func expected(_ what: String, _ place: String, found value: JSONValue) {
    tell("expected \(what) \(place), found \(value.brief)", at: value)
  }

  /// The members of an object by name, the unknown and the repeated ones told.
  mutating func members(
    of value: JSONValue, in place: String, known: [String], required: [String] = []
  ) -> [String: JSONValue]? {
    guard value.kind == .object else {
      expected("an object", "as \(place)", found: value)
      return nil
    }
    var found: [String: JSONValue] = [:]
    for (name, member) in zip(value.memberNames, value.members) {
      if !known.contains(member.key) {
        let hint = hint(member.key, known) ?? ": there are \(known.joined(separator: ", "))"
        tell("unknown member '\(shown(member.key))' of \(place)\(hint)", at: name)
      } else if found[member.key] == nil {
        found[member.key] = member.value
      }
    }
    for name in required where found[name] == nil {
      tell("\(place) has no '\(name)'", at: value)
    }
    return found
  }

  /// Words that offer the name that may have been meant; for hostile files they are not worth the time.
  func hint(_ word: String, _ known: [String], prefix: String = "") -> String? {
    guard word.utf8.count <= 100, problems.count < RecipeLimits.problems else { return nil }
    return Suggestion.closest(to: word, among: known).map { " — did you mean '\(prefix)\($0)'?" }
  }

  mutating func string(_ value: JSONValue?, _ what: String, of place: String) -> String? {
    guard let value else { return nil }
    guard let text = value.string else {
      expected(what, "as \(place)", found: value)
      return nil
    }
    return text
  }

  mutating func integer(_ value: JSONValue?, in range: ClosedRange<Int>, of place: String) -> Int? {
    guard let value else { return nil }
    guard let number = value.int64, let whole = Int(exactly: number), range.contains(whole) else {
      let bounds = "a whole number from \(range.lowerBound) to \(range.upperBound)"
      expected(bounds, "as \(place)", found: value)
      return nil
    }
    return whole
  }

  mutating func choice<Word: RawRepresentable & CaseIterable>(
    _ value: JSONValue?, of place: String
  ) -> Word? where Word.RawValue == String {
    guard let value else { return nil }
    let words = Word.allCases.map(\.rawValue)
    guard let text = value.string, let word = Word(rawValue: text) else {
      let meant = value.string.flatMap { hint($0, words) } ?? ""
      let last = words.last ?? ""
      let list = "'" + words.dropLast().joined(separator: "', '") + "' or '\(last)'"
      tell("expected \(list) as \(place), found \(value.brief)\(meant)", at: value)
      return nil
    }
    return word
  }

  /// Foreign words inside a message.
  func shown(_ text: String) -> String { text.count > 60 ? "\(text.prefix(60))…" : text }
}

extension Recipe {
  /// Reads and checks a recipe; when it is not sound, the error names every problem.
  package init(parsing bytes: [UInt8]) throws(RecipeProblems) {
    var reader = RecipeReader(bytes)
    guard let recipe = reader.recipe(in: bytes), reader.problems.isEmpty else {
      let sorted = reader.problems.sorted { ($0.line, $0.column) < ($1.line, $1.column) }
      throw RecipeProblems(problems: Array(sorted.prefix(RecipeLimits.problems)))
    }
    self = recipe
  }
}

extension RecipeReader {
  private static let members = ["about", "parameters", "sections", "steps", "output"]

  fileprivate mutating func recipe(in bytes: [UInt8]) -> Recipe? {
    guard let document = document(bytes) else { return nil }
    for name in document.duplicateKeys(atMost: RecipeLimits.problems) {
      tell("the member '\(shown(name.string ?? ""))' is there twice", at: name)
    }
    let root = document.root
    guard
      let members = members(
        of: root, in: "the recipe", known: Self.members, required: ["steps", "output"])
    else { return nil }
    let about = string(members["about"], "a string", of: "'about'")
    let parameters = members["parameters"].map { self.parameters(in: $0) } ?? []
    let sections = members["sections"].map { self.sections(in: $0) } ?? []
    names.hasSections = members["sections"] != nil
    let steps = members["steps"].map { self.steps(in: $0) } ?? []
    let scope = NameScope(place: "the recipe's output", words: ["sections"])
    let output = members["output"].flatMap { template(in: $0, scope) }
    guard let output else { return nil }
    return Recipe(about: about, parameters: parameters, sections: sections, steps: steps, output: output)
  }

  private mutating func document(_ bytes: [UInt8]) -> JSONDocument? {
    guard bytes.count <= RecipeLimits.longestFile else {
      tell("the file is larger than 1 MiB", at: RecipeLimits.longestFile)
      return nil
    }
    guard !bytes.prefix(4).contains(0), !bytes.starts(with: [0xFF, 0xFE]), !bytes.starts(with: [0xFE, 0xFF])
    else {
      tell("this is not UTF-8; save it as UTF-8", at: 0)
      return nil
    }
    do {
      return try JSONDocument(parsing: bytes, limits: RecipeLimits.file)
    } catch {
      tell(error.reason.rawValue, at: error.offset)
      return nil
    }
  }
}

/// The names that a recipe gives, which are all different.
struct RecipeNames {
  var parameters: [String: ParameterType] = [:]
  /// In the order of the file, also of steps that are not sound.
  var steps: [String] = []
  var hasSections = false

  /// Words that mean the same in every recipe.
  static let taken = ["sections", "item", "input", "value", "page"]

  func step(_ name: String) -> Int? { steps.firstIndex(of: name) }

  /// Whether a text can be the name of a parameter or step.
  static func isName(_ text: String) -> Bool {
    guard let first = text.utf8.first, !isDigit(first), text.utf8.count <= 64 else { return false }
    return text.utf8.allSatisfy { isNameByte($0) }
  }

  static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "_"): true
    default: isDigit(byte)
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}

/// Which words of `RecipeNames.taken` mean something at one place.
struct NameScope {
  /// How the place is called in messages.
  var place: String
  var words: Set<String> = []
}

/// What a recipe may cost to read, and what running it may cost at most.
package enum RecipeLimits {
  /// Bytes of a file.
  package static let longestFile = 1 << 20
  static let steps = 200
  static let sections = 1_000
  /// The number of problems to report of one file.
  static let problems = 100
  /// Calls that one step makes, next pages counted.
  package static let callsOfStep = 100_000
  /// Calls that all steps of a run make together.
  package static let callsOfRun = 200_000
  /// Bytes that all steps of a run gather together.
  package static let bytesOfRun = 256 << 20
  /// Bytes of one assembled value.
  package static let longestValue = 64 << 20
  /// How deep a recipe may be nested.
  static let file = JSONLimits(depth: 64, values: 1 << 17)
  /// How deep an assembled value may be nested: what holds the deepest documents must be readable, too.
  static let assembled = JSONLimits(depth: JSONLimits.around.depth)
}

/// Something that keeps a text from being a recipe, and where it stands.
package struct RecipeProblem: Error, Hashable, Sendable {
  /// Counted from 1.
  package var line: Int
  /// Characters (Unicode scalars) from the start of the line, counted from 1.
  package var column: Int
  /// What is wrong, what was expected, and what may have been meant; one line.
  package var message: String
}

/// Everything that keeps a text from being a recipe, in the order of the text.
package struct RecipeProblems: Error, Hashable, Sendable {
  /// At least one.
  package var problems: [RecipeProblem]
}

/// The bytes of a recipe, and where their lines start.
struct SourceText {
  private let bytes: [UInt8]
  private let lineStarts: [Int]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    // A byte order mark is no character of the first line.
    var starts = [bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0]
    for (index, byte) in bytes.enumerated() {
      let isPair =
        byte == UInt8(ascii: "\r") && index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: "\n")
      if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") && !isPair { starts.append(index + 1) }
    }
    lineStarts = starts
  }

  func problem(at offset: Int, _ message: String) -> RecipeProblem {
    var (low, high) = (0, lineStarts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if lineStarts[middle] <= offset { low = middle } else { high = middle }
    }
    let start = lineStarts[low]
    let before = start < offset ? bytes[start..<min(offset, bytes.count)] : []
    let column = before.count { $0 & 0xC0 != 0x80 } + 1
    return RecipeProblem(line: low + 1, column: column, message: message)
  }

  /// Where a byte of a decoded string is written; for the first that is its opening quote.
  func offset(ofByte wanted: Int, in string: JSONValue) -> Int {
    guard wanted > 0 else { return string.offset }
    var at = string.offset + 1
    let end = string.offset + string.length - 1
    var decoded = 0
    while at < end {
      let (written, read) = step(at)
      guard decoded + read <= wanted else { break }
      decoded += read
      at += written
    }
    return at
  }

  /// How many bytes the character or escape at a place takes as it is written, and as it is read.
  private func step(_ at: Int) -> (written: Int, read: Int) {
    guard bytes[at] == UInt8(ascii: "\\") else { return (1, 1) }
    guard bytes[at + 1] == UInt8(ascii: "u") else { return (2, 1) }
    let unit = UInt32(String(decoding: bytes[at + 2..<at + 6], as: UTF8.self), radix: 16) ?? 0
    switch unit {
    case ..<0x80: return (6, 1)
    case ..<0x800: return (6, 2)
    // The document was checked: the other half follows.
    case 0xD800..<0xE000: return (12, 4)
    default: return (6, 3)
    }
  }
}

extension RecipeReader {
  mutating func sections(in value: JSONValue) -> [Section] {
    guard value.kind == .array, value.count <= RecipeLimits.sections else {
      expected("an array of at most \(RecipeLimits.sections) objects", "as 'sections'", found: value)
      return []
    }
    var sections: [Section] = []
    var ids: Set<String> = []
    for element in value.elements {
      guard element.kind == .object else {
        expected("an object such as {\"id\": \"apps\"}", "as a section", found: element)
        continue
      }
      guard let id = element["id"] else {
        tell("the section has no 'id'", at: element)
        continue
      }
      guard let text = id.string, !text.isEmpty else {
        expected("a string that is not empty", "as 'id' of a section", found: id)
        continue
      }
      if !ids.insert(text).inserted { tell("another section has the id '\(shown(text))' already", at: id) }
      sections.append(Section(id: text, value: element))
    }
    return sections
  }
}
