import Links
import Recipes

/// An option's value after reading: durations in milliseconds, sizes in bytes.
enum OptionValue: Hashable, Sendable {
  case flag(Bool)
  case text(String)
  case list([String])
  case number(Int64)

  var flag: Bool? {
    if case .flag(let value) = self { value } else { nil }
  }

  var text: String? {
    if case .text(let value) = self { value } else { nil }
  }

  var list: [String]? {
    if case .list(let value) = self { value } else { nil }
  }

  var number: Int64? {
    if case .number(let value) = self { value } else { nil }
  }

  /// As `OptionKind.read` takes them.
  var texts: [String] {
    switch self {
    case .flag(let isOn): [isOn ? "1" : "0"]
    case .text(let text): [text]
    case .list(let texts): texts
    case .number(let number): ["\(number)"]
    }
  }
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
  /// How a number is shown; nil when it counts nothing but itself.
  var shows: (@Sendable (Int64) -> String)?
  /// What help says about the unit.
  var note: String?

  var takesValue: Bool { form != .flag }

  /// Whether the values of all times that it is given count.
  var addsUp: Bool { separates != nil }

  /// Reads the value as it stands in an environment variable.
  func readVariable(_ text: String) throws(ValueProblem) -> OptionValue {
    guard let separates else { return try read(text) }
    var texts: [String] = []
    for part in text.split(whereSeparator: separates) { texts += try read(String(part)).list ?? [] }
    return .list(texts)
  }
}

extension OptionKind {
  static let never = "never"
  static let timeNote = "TIME is 500ms, 30s, 2m or 1h; a bare number counts seconds."
  static let sizeNote = "SIZE is a number of bytes, or 64K, 8MiB, 1G; K, M and G count in 1024."

  private static let switchWords = [
    "1": true, "true": true, "yes": true, "on": true, "0": false, "false": false, "no": false, "off": false,
  ]

  static let flag = OptionKind(form: .flag) { text throws(ValueProblem) in
    guard let isOn = switchWords[text.lowercased()] else {
      throw ValueProblem(words: "'\(text)' is neither 1 nor 0")
    }
    return .flag(isOn)
  }

  static func text<Word>(_ read: @escaping TextReader<Word>) -> OptionKind {
    OptionKind(form: .text) { text throws(ValueProblem) in
      _ = try read(text)
      return .text(text)
    }
  }

  /// Names in one value, separated by commas.
  static func names<Word>(_ read: @escaping TextReader<Word>) -> OptionKind {
    OptionKind(form: .list) { text throws(ValueProblem) in
      let names = text.split(separator: ",", omittingEmptySubsequences: false).map { $0.trimmingSpaces() }
      guard names.allSatisfy({ !$0.isEmpty }) else {
        throw ValueProblem(words: "'\(text)' has an empty name")
      }
      for name in names { _ = try read(name) }
      return .list(names)
    }
  }

  /// A text that may be given several times; all of them count.
  static func repeated<Word>(
    _ separates: @escaping @Sendable (Character) -> Bool, _ read: @escaping TextReader<Word>
  ) -> OptionKind {
    var kind = OptionKind(form: .list) { text throws(ValueProblem) in
      _ = try read(text)
      return .list([text])
    }
    kind.separates = separates
    return kind
  }

  static func choice(_ words: [String]) -> OptionKind {
    var kind = text { text throws(ValueProblem) in
      guard !words.contains(text) else { return }
      let hint = Suggestion.closest(to: text, among: words).map { " — did you mean '\($0)'?" } ?? ""
      throw ValueProblem(words: "'\(text)' is not one of \(words.joined(separator: ", "))\(hint)")
    }
    kind.words = words
    return kind
  }

  static func integer(_ range: ClosedRange<Int64>) -> OptionKind {
    let complaint = "is not a whole number from \(range.lowerBound) to \(range.upperBound)"
    return number(.integer, range, otherwise: complaint) { Int64($0) }
  }

  /// The word `never` is a value too.
  static func integerOrNever(_ range: ClosedRange<Int64>) -> OptionKind {
    let words = "is neither a whole number from \(range.lowerBound) to \(range.upperBound) nor '\(never)'"
    let number = number(.quantity, range, otherwise: words) { Int64($0) }
    return OptionKind(form: .quantity) { text throws(ValueProblem) in
      text == never ? .text(text) : try number.read(text)
    }
  }

  /// The range is in hundredths.
  static func percent(_ range: ClosedRange<Int64>) -> OptionKind {
    let complaint = "is not a share from \(range.lowerBound)% to \(range.upperBound)%"
    var kind = number(.quantity, range, otherwise: complaint) {
      Int64($0.hasSuffix("%") ? String($0.dropLast()) : $0)
    }
    kind.shows = { "\($0)%" }
    return kind
  }

  /// The range is in milliseconds.
  static func duration(_ range: ClosedRange<Int64>) -> OptionKind {
    number(
      .time, range, otherwise: "is not a time such as 500ms, 30s, 2m or 1h", note: timeNote,
      Quantity.duration, Quantity.milliseconds)
  }

  /// The range is in bytes.
  static func byteSize(_ range: ClosedRange<Int64>) -> OptionKind {
    number(
      .quantity, range, otherwise: "is not a size such as 65536, 64K, 8MiB or 1G", note: sizeNote,
      Quantity.byteSize, Quantity.bytes)
  }

  /// - Parameters:
  ///   - complaint: What is said of a text that is no number, and of one outside the range unless `shows` tells that.
  ///   - read: nil for a text that is no number.
  private static func number(
    _ form: Form, _ range: ClosedRange<Int64>, otherwise complaint: String, note: String? = nil,
    _ shows: (@Sendable (Int64) -> String)? = nil, _ read: @escaping @Sendable (String) -> Int64?
  ) -> OptionKind {
    let outside = shows.map { "is not between \($0(range.lowerBound)) and \($0(range.upperBound))" }
    var kind = OptionKind(form: form) { text throws(ValueProblem) in
      guard let number = read(text) else { throw ValueProblem(words: "'\(text)' \(complaint)") }
      guard range.contains(number) else { throw ValueProblem(words: "'\(text)' \(outside ?? complaint)") }
      return .number(number)
    }
    (kind.shows, kind.note) = (shows, note)
    return kind
  }
}

extension StringProtocol {
  /// The text without the ASCII spaces around it.
  func trimmingSpaces() -> String {
    String(trimming { $0 == " " })
  }
}
