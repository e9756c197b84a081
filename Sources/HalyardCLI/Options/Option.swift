/// An option together with the Swift type of its value and its default, so that each is written once.
///
/// It is made of its spelling, what reads its value, and marks: help, manual pages, completions, variables and files of
/// settings follow from these.
@dynamicMemberLookup
struct Option<Value: Sendable>: OptionRows {
  private(set) var spec: OptionSpec
  private let reader: OptionReader<Value>

  /// - Parameter spelling: Such as `-o, --output FILE`; a flag that can be undone is spelled `--[no-]quiet`.
  init(
    _ spelling: String, _ group: OptionGroup, _ marks: OptionMarks, _ reader: OptionReader<Value>,
    _ summary: String
  ) {
    self.reader = reader
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

  var specs: [OptionSpec] { [spec] }

  /// The value when neither the command line nor the environment gives one.
  var fallback: Value { reader.fallback }

  func read(_ value: OptionValue) -> Value? { reader.read(value) }

  subscript<Member>(dynamicMember member: KeyPath<OptionSpec, Member>) -> Member { spec[keyPath: member] }
}

/// How the text behind an option becomes a value of a Swift type.
struct OptionReader<Value: Sendable>: Sendable {
  let kind: OptionKind
  let fallback: Value
  /// The default as help shows it; nil when there is none worth showing.
  let defaultText: String?
  let read: @Sendable (OptionValue) -> Value?

  fileprivate init(
    _ kind: OptionKind, _ fallback: Value, default defaultText: String? = nil,
    _ read: @escaping @Sendable (OptionValue) -> Value?
  ) {
    (self.kind, self.fallback, self.defaultText, self.read) = (kind, fallback, defaultText, read)
  }
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
  static var flag: Self { Self(.flag, false) { $0.flag } }
}

/// Texts, as they are or as what they stand for.
extension OptionReader {
  static func text<Word>(_ read: @escaping TextReader<Word>) -> Self where Value == Word? {
    Self(.text(read), nil) { value in value.text.map { try? read($0) } }
  }

  /// Names in one value, separated by commas.
  static func names<Word>(_ read: @escaping TextReader<Word>) -> Self where Value == [Word] {
    Self(.names(read), []) { value in value.list?.compactMap { try? read($0) } }
  }

  /// May be given several times. In a variable, commas or spaces stand between the texts.
  static func repeated<Word>(_ read: @escaping TextReader<Word>) -> Self where Value == [Word] {
    list({ $0 == "," || $0.isWhitespace }, read)
  }

  /// May be given several times. A variable has one a line, as the texts may hold spaces and commas.
  static func lines<Word>(_ read: @escaping TextReader<Word>) -> Self where Value == [Word] {
    list({ $0.isNewline }, read)
  }

  private static func list<Word>(
    _ separates: @escaping @Sendable (Character) -> Bool, _ read: @escaping TextReader<Word>
  ) -> Self where Value == [Word] {
    Self(.repeated(separates, read), []) { value in value.list?.compactMap { try? read($0) } }
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

extension OptionReader where Value == String {
  static func text(default fallback: String, _ read: @escaping TextReader<String> = { $0 }) -> Self {
    Self(.text(read), fallback, default: fallback) { $0.text }
  }
}

extension OptionReader where Value == [String] {
  static var names: Self { names { $0 } }
  static var lines: Self { lines { $0 } }
  static var repeated: Self { repeated { $0 } }

  /// Paths that may be given several times.
  static var files: Self { repeated(filled) }
}

/// Numbers: whole ones, shares in hundredths, sizes in bytes, times in milliseconds.
extension OptionReader where Value: FixedWidthInteger {
  private init(_ kind: OptionKind, _ fallback: Value, shownAs text: String? = nil) {
    let text = text ?? kind.shows?(Int64(fallback)) ?? "\(fallback)"
    self.init(kind, fallback, default: text) { $0.number.flatMap(Value.init(exactly:)) }
  }

  static func integer(_ range: ClosedRange<Int64>, default fallback: Value) -> Self {
    Self(.integer(range), fallback)
  }

  static func percent(_ range: ClosedRange<Int64>, default fallback: Value) -> Self {
    Self(.percent(range), fallback)
  }

  static func byteSize(_ range: ClosedRange<Int64>, default fallback: Value) -> Self {
    Self(.byteSize(range), fallback)
  }

  static func duration(
    _ range: ClosedRange<Int64>, default fallback: Value, shownAs text: String? = nil
  ) -> Self {
    Self(.duration(range), fallback, shownAs: text)
  }
}

/// Numbers that need not be: without one, nil means what `defaultText` says.
extension OptionReader {
  static func integer<Number: FixedWidthInteger & Sendable>(
    _ range: ClosedRange<Int64>, default defaultText: String
  ) -> Self where Value == Number? {
    Self(.integer(range), nil, default: defaultText) { $0.number.flatMap(Number.init(exactly:)) }
  }

  static func duration(_ range: ClosedRange<Int64>, default defaultText: String = "none") -> Self
  where Value == Int64? {
    Self(.duration(range), nil, default: defaultText) { $0.number }
  }

  /// nil is `never`.
  static func integerOrNever(_ range: ClosedRange<Int64>, default fallback: Int) -> Self
  where Value == Int? {
    Self(.integerOrNever(range), fallback, default: "\(fallback)") { value in
      value.text == OptionKind.never ? .some(nil) : value.number.flatMap(Int.init(exactly:))
    }
  }
}

extension OptionReader {
  /// A choice among values by their names.
  static func choice(
    _ words: [Value], _ name: @escaping @Sendable (Value) -> String, default fallback: Value
  ) -> Self {
    Self(.choice(words.map(name)), fallback, default: name(fallback)) { value in
      words.first { name($0) == value.text }
    }
  }

  /// The same with a default that depends on circumstances, which `defaultText` describes.
  static func choice<Word: Sendable>(
    _ words: [Word], _ name: @escaping @Sendable (Word) -> String, default defaultText: String
  ) -> Self where Value == Word? {
    Self(.choice(words.map(name)), nil, default: defaultText) { value in
      words.first { name($0) == value.text }
    }
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
