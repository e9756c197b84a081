/// An option together with the Swift type of its value and its default, so that each is written once.
///
/// It is made of its spelling, what reads its value, and marks: help, manual pages, completions, variables and files of
/// settings follow from these.
@dynamicMemberLookup
struct Option<Value: Sendable>: OptionRow {
  private(set) var spec: OptionSpec
  /// The value when neither the command line nor the environment gives one.
  let fallback: Value

  /// - Parameter spelling: Such as `-o, --output FILE`; a flag that can be undone is spelled `--[no-]quiet`.
  init(
    _ spelling: String, _ group: OptionGroup, _ marks: OptionMarks, _ reader: OptionReader<Value>,
    _ summary: String
  ) {
    fallback = reader.fallback
    spec = OptionSpec(spelling, group, marks, reader.kind, summary, default: reader.defaultText)
  }

  init(_ spelling: String, _ group: OptionGroup, _ reader: OptionReader<Value>, _ summary: String) {
    self.init(spelling, group, [], reader, summary)
  }

  /// The same for single hosts too. Their tables in a file of settings may have it by another name and in another form.
  func forHosts(_ key: String? = nil, _ kind: OptionKind? = nil) -> Self {
    var option = self
    (option.spec.hostKey, option.spec.hostKind) = (key ?? spec.name, kind ?? spec.kind)
    return option
  }

  subscript<Member>(dynamicMember member: KeyPath<OptionSpec, Member>) -> Member { spec[keyPath: member] }
}

/// How the text behind an option becomes a value of a Swift type, and the value without a text.
struct OptionReader<Value: Sendable>: Sendable {
  fileprivate(set) var kind: OptionKind
  let fallback: Value
  /// The default as help shows it; nil when there is none worth showing.
  fileprivate(set) var defaultText: String?
}

/// - Parameters:
///   - read: What a text stands for, or nil.
///   - complaint: What is said, behind it, of a text that stands for nothing.
func parsing<Word>(
  _ read: @escaping @Sendable (String) -> Word?, otherwise complaint: String
) -> TextReader<Word> {
  { text throws(ValueProblem) in
    guard let word = read(text) else { throw ValueProblem(words: "\(Printable.quoted(text)) \(complaint)") }
    return word
  }
}

/// - Parameter words: What is said of a text that cannot be read.
func parsing<Word, Fault>(
  _ read: @escaping @Sendable (String) throws(Fault) -> Word,
  _ words: @escaping @Sendable (Fault) -> String
) -> TextReader<Word> {
  { text throws(ValueProblem) in
    do throws(Fault) {
      return try read(text)
    } catch {
      throw ValueProblem(words: words(error))
    }
  }
}

/// The text itself, if it can be read.
func checking<Word>(_ read: @escaping TextReader<Word>) -> TextReader<String> {
  { text throws(ValueProblem) in
    _ = try read(text)
    return text
  }
}

extension OptionReader where Value == Bool {
  static var flag: Self { Self(kind: .flag, fallback: false) }
}

/// Texts, as they are or as what they stand for.
extension OptionReader {
  static func text<Word: Sendable>(_ read: @escaping TextReader<Word>) -> Self where Value == Word? {
    Self(kind: OptionKind(.text, read), fallback: nil)
  }

  static func text(default fallback: Value, _ read: @escaping TextReader<Value>) -> Self
  where Value: CustomStringConvertible {
    Self(kind: OptionKind(.text, read), fallback: fallback, defaultText: fallback.description)
  }

  /// Names in one value, separated by commas.
  static func names<Word: Sendable>(_ read: @escaping TextReader<Word>) -> Self where Value == [Word] {
    let kind = OptionKind(.list) { text throws(ValueProblem) in
      let names = text.split(separator: ",", omittingEmptySubsequences: false).map { $0.trimmingSpaces() }
      guard names.allSatisfy({ !$0.isEmpty }) else {
        throw ValueProblem(words: "'\(text)' has an empty name")
      }
      return OptionValue(
        try names.map { (name) throws(ValueProblem) in OptionValue(name, for: try read(name)) })
    }
    return Self(kind: kind, fallback: [])
  }

  /// May be given several times. In a variable, commas or spaces stand between the texts.
  static func repeated<Word: Sendable>(_ read: @escaping TextReader<Word>) -> Self where Value == [Word] {
    list(read) { $0 == "," || $0.isWhitespace }
  }

  /// May be given several times. A variable has one a line, as the texts may hold spaces and commas.
  static func lines<Word: Sendable>(_ read: @escaping TextReader<Word>) -> Self where Value == [Word] {
    list(read) { $0.isNewline }
  }

  private static func list<Word: Sendable>(
    _ read: @escaping TextReader<Word>, separates: @escaping @Sendable (Character) -> Bool
  ) -> Self where Value == [Word] {
    var reader = Self(kind: OptionKind(.list, read), fallback: [])
    reader.kind.separates = separates
    return reader
  }
}

extension OptionReader where Value == String? {
  static var text: Self { text { $0 } }

  /// A path.
  static var file: Self { text(filled) }
}

/// The path of a file, which is not empty.
private func filled(_ path: String) throws(ValueProblem) -> String {
  guard !path.isEmpty else { throw ValueProblem(words: "the file's name is empty") }
  return path
}

extension OptionReader where Value == [String] {
  static var names: Self { names { $0 } }
  static var lines: Self { lines { $0 } }
  static var repeated: Self { repeated { $0 } }

  /// Paths that may be given several times.
  static var files: Self { repeated(filled) }
}

/// Numbers.
extension OptionReader {
  static func integer(
    _ range: ClosedRange<Int64>, as measure: Measure = .count, default fallback: Value,
    shownAs text: String? = nil
  ) -> Self where Value: FixedWidthInteger {
    Self(
      kind: .number(measure, range, of: Value.self), fallback: fallback,
      defaultText: text ?? measure.shows(Int64(fallback)))
  }

  /// Without one, nil means what `defaultText` says.
  static func integer<Number: FixedWidthInteger & Sendable>(
    _ range: ClosedRange<Int64>, as measure: Measure = .count, default defaultText: String = "none"
  ) -> Self where Value == Number? {
    Self(kind: .number(measure, range, of: Number.self), fallback: nil, defaultText: defaultText)
  }

  /// The word `never` is a value too, and stands for nil.
  static func integerOrNever(_ range: ClosedRange<Int64>, default fallback: Int) -> Self
  where Value == Int? {
    let never = OptionKind.never
    let complaint = "is neither a whole number from \(range.lowerBound) to \(range.upperBound) nor '\(never)'"
    var kind = OptionKind(.quantity) { text throws(ValueProblem) -> Int? in
      if text == never { return nil }
      guard let number = Int64(text), range.contains(number) else {
        throw ValueProblem(words: "'\(text)' \(complaint)")
      }
      return Int(clamping: number)
    } spelling: {
      $0.map(String.init) ?? never
    }
    kind.isBare = true
    return Self(kind: kind, fallback: fallback, defaultText: "\(fallback)")
  }
}

/// A choice among values by their names.
extension OptionReader {
  static func choice(
    _ words: [Value], _ name: @escaping @Sendable (Value) -> String, default fallback: Value
  ) -> Self {
    Self(kind: .choice(words, name), fallback: fallback, defaultText: name(fallback))
  }

  /// The same with a default that depends on circumstances, which `defaultText` describes.
  static func choice<Word: Sendable>(
    _ words: [Word], _ name: @escaping @Sendable (Word) -> String, default defaultText: String
  ) -> Self where Value == Word? {
    Self(kind: .choice(words, name), fallback: nil, defaultText: defaultText)
  }

  static func choice(default fallback: Value) -> Self
  where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
    choice(Array(Value.allCases), { $0.rawValue }, default: fallback)
  }

  static func choice<Word: RawRepresentable & CaseIterable & Sendable>(default defaultText: String) -> Self
  where Value == Word?, Word.RawValue == String {
    choice(Array(Word.allCases), { $0.rawValue }, default: defaultText)
  }
}
