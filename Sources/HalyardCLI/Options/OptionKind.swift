import Links
import Recipes

/// What was given for an option: texts, each in one spelling, and what they stand for. Two are equal whose texts are.
struct OptionValue: Sendable {
  let texts: [String]
  private let words: [any Sendable]

  init(_ text: String, for word: some Sendable) {
    (texts, words) = ([text], [word])
  }

  /// All of them in a row.
  init(_ values: [OptionValue]) {
    (texts, words) = (values.flatMap(\.texts), values.flatMap(\.words))
  }

  static func flag(_ isOn: Bool) -> OptionValue { OptionValue("\(isOn)", for: isOn) }

  /// What the texts stand for, or the last of them; nil when that is something else.
  func read<Value>(as type: Value.Type = Value.self) -> Value? {
    words as? Value ?? words.last as? Value
  }
}

extension OptionValue: Equatable {
  static func == (left: OptionValue, right: OptionValue) -> Bool { left.texts == right.texts }
}

/// Why a text is no value of an option's kind; the words follow the option's name in an error.
struct ValueProblem: Error, Hashable, Sendable {
  var words: String
}

/// What is read from a text, or why nothing is.
typealias TextReader<Word> = @Sendable (String) throws(ValueProblem) -> Word

/// How the text behind an option is read, and how files of settings have it.
struct OptionKind: Sendable {
  /// What stands for the value in a file of settings; the words follow "expected".
  enum Form: String, Sendable {
    case flag = "true or false"
    case text = "a string"
    case list = "a string or an array of strings"
    case fields = "a table or an array of strings"
    case integer = "an integer"
    case quantity = "an integer or a string"
    case time = "a number or a string"
  }

  let form: Form
  /// Reads the value as it stands behind the option on a command line.
  let read: TextReader<OptionValue>
  /// Reads a member of a table; nil where no table stands for the value.
  var readMember: (@Sendable (_ name: String, _ text: String) throws(ValueProblem) -> OptionValue)?
  /// Where a variable's text is cut into values of an option that may be given several times; nil for others.
  var separates: (@Sendable (Character) -> Bool)?
  /// The only values that there are; empty when there are more than can be listed.
  var words: [String] = []
  /// Whether a file of settings has its values without quotes; `never` has them all the same.
  var isBare: Bool
  /// What help says about the unit.
  private(set) var note: String?

  init(_ form: Form, reading: @escaping TextReader<OptionValue>) {
    (self.form, read, isBare) = (form, reading, form == .flag || form == .integer)
  }

  /// - Parameter spelling: The one of all texts that stand for the same; nil when each text stands for itself.
  init<Word: Sendable>(
    _ form: Form, _ read: @escaping TextReader<Word>, spelling: (@Sendable (Word) -> String)? = nil
  ) {
    self.init(form) { text throws(ValueProblem) in
      let word = try read(text)
      return OptionValue(spelling?(word) ?? text, for: word)
    }
  }

  var takesValue: Bool { form != .flag }

  /// Whether the values of all times that it is given count.
  var addsUp: Bool { separates != nil }

  /// Reads the value as it stands in an environment variable.
  func readVariable(_ text: String) throws(ValueProblem) -> OptionValue {
    guard let separates else { return try read(text) }
    return OptionValue(
      try text.split(whereSeparator: separates).map { (part) throws(ValueProblem) in try read(String(part)) })
  }

  static let never = "never"

  private static let switchWords = [
    "1": true, "true": true, "yes": true, "on": true, "0": false, "false": false, "no": false, "off": false,
  ]

  static let flag = OptionKind(.flag) { text throws(ValueProblem) in
    guard let isOn = switchWords[text.lowercased()] else {
      throw ValueProblem(words: "'\(text)' is neither 1 nor 0")
    }
    return .flag(isOn)
  }

  static func choice<Word: Sendable>(
    _ values: [Word], _ name: @escaping @Sendable (Word) -> String
  ) -> OptionKind {
    let words = values.map(name)
    var kind = OptionKind(.text) { text throws(ValueProblem) in
      if let place = words.firstIndex(of: text) { return values[place] }
      let hint = Suggestion.closest(to: text, among: words).map { " — did you mean '\($0)'?" } ?? ""
      throw ValueProblem(words: "'\(text)' is not one of \(words.joined(separator: ", "))\(hint)")
    }
    kind.words = words
    return kind
  }

  static func number<Number: FixedWidthInteger & Sendable>(
    _ measure: Measure, _ range: ClosedRange<Int64>, of type: Number.Type
  ) -> OptionKind {
    var kind = OptionKind(
      measure.form, { text throws(ValueProblem) in Number(clamping: try measure.read(text, in: range)) },
      spelling: { measure.shows(Int64(clamping: $0)) })
    kind.note = measure.note
    return kind
  }
}

/// What a number counts, and how people write it.
struct Measure: Sendable {
  let form: OptionKind.Form
  /// What a text is to be.
  private let noun: String
  /// Texts that are; nil where the range tells enough.
  private var examples: String?
  private let number: @Sendable (String) -> Int64?
  let shows: @Sendable (Int64) -> String
  /// What help says about the unit.
  var note: String?

  func read(_ text: String, in range: ClosedRange<Int64>) throws(ValueProblem) -> Int64 {
    let number = number(text)
    if let number, range.contains(number) { return number }
    let (least, most) = (shows(range.lowerBound), shows(range.upperBound))
    guard let examples else {
      throw ValueProblem(words: "'\(text)' is not \(noun) from \(least) to \(most)")
    }
    guard number != nil else { throw ValueProblem(words: "'\(text)' is not \(noun) such as \(examples)") }
    throw ValueProblem(words: "'\(text)' is not between \(least) and \(most)")
  }
}

extension Measure {
  static let count = Measure(
    form: .integer, noun: "a whole number", number: { Int64($0) }, shows: { "\($0)" })

  /// In hundredths.
  static let share = Measure(
    form: .quantity, noun: "a share", number: { Int64($0.hasSuffix("%") ? String($0.dropLast()) : $0) },
    shows: { "\($0)%" })

  /// In milliseconds.
  static let time = Measure(
    form: .time, noun: "a time", examples: "500ms, 30s, 2m or 1h", number: Quantity.milliseconds,
    shows: Quantity.duration, note: "TIME is 500ms, 30s, 2m or 1h; a bare number counts seconds.")

  /// In bytes.
  static let size = Measure(
    form: .quantity, noun: "a size", examples: "65536, 64K, 8MiB or 1G", number: Quantity.bytes,
    shows: Quantity.byteSize,
    note: "SIZE is a number of bytes, or 64K, 8MiB, 1G; K, M and G count in 1024.")
}

extension StringProtocol {
  /// The text without the ASCII spaces around it.
  func trimmingSpaces() -> String {
    String(trimming { $0 == " " })
  }
}
