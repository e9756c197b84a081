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
