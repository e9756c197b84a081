internal import JSONQuery
import Recipes

/// How the text behind an option is read.
enum OptionKind: Hashable, Sendable {
  /// Takes no value; a negatable one also has a `--no-…` form.
  case flag(negatable: Bool)
  case text
  /// Names in one value, separated by commas.
  case names
  /// A text that may be given several times; all of them count.
  case repeated
  /// The same for texts that may hold spaces and commas: a variable has one a line.
  case lines
  case integer(ClosedRange<Int64>)
  /// The word `never` is a value too.
  case integerOrNever(ClosedRange<Int64>)
  /// The range is in milliseconds.
  case duration(ClosedRange<Int64>)
  /// The range is in bytes.
  case byteSize(ClosedRange<Int64>)
  /// The range is in hundredths.
  case percent(ClosedRange<Int64>)
  case choice([String])
  /// A JSON Pointer (RFC 6901) or a JSONPath query (RFC 9535).
  case selector
  /// What a document must hold, PATH:TYPE; may be given several times, and all of them count.
  case requirements
}

/// An option's value after reading: durations in milliseconds, sizes in bytes.
enum OptionValue: Hashable, Sendable {
  case flag(Bool)
  case text(String)
  case list([String])
  case number(Int64)
}

/// Why a text is no value of an option's kind; the words follow the option's name in an error.
struct ValueProblem: Error, Hashable, Sendable {
  var words: String
}

extension OptionKind {
  var takesValue: Bool {
    switch self {
    case .flag: false
    case .text, .names, .repeated, .lines, .integer, .integerOrNever, .duration, .byteSize, .percent, .choice,
      .selector,
      .requirements:
      true
    }
  }

  /// Reads the value as it stands behind the option on a command line.
  func read(_ text: String) throws(ValueProblem) -> OptionValue {
    switch self {
    case .flag:
      guard let on = Self.switchWords[text.lowercased()] else {
        throw ValueProblem(words: "'\(text)' is neither 1 nor 0")
      }
      return .flag(on)
    case .text:
      return .text(text)
    case .repeated, .lines:
      return .list([text])
    case .names:
      return .list(try Self.names(in: text))
    case .integer(let range):
      return .number(
        try Self.number(text, text, in: range) { "is not a whole number from \($0) to \($1)" })
    case .integerOrNever(let range):
      if text == Self.never { return .text(text) }
      return .number(
        try Self.number(text, text, in: range) {
          "is neither a whole number from \($0) to \($1) nor '\(Self.never)'"
        })
    case .duration(let range):
      return .number(try Self.duration(text, in: range))
    case .byteSize(let range):
      return .number(try Self.byteSize(text, in: range))
    case .percent(let range):
      let digits = text.hasSuffix("%") ? String(text.dropLast()) : text
      return .number(try Self.number(digits, text, in: range) { "is not a share from \($0)% to \($1)%" })
    case .choice(let words):
      guard words.contains(text) else {
        let hint = Suggestion.closest(to: text, among: words).map { " — did you mean '\($0)'?" } ?? ""
        throw ValueProblem(words: "'\(text)' is not one of \(words.joined(separator: ", "))\(hint)")
      }
      return .text(text)
    case .selector:
      return .text(try Self.selector(text))
    case .requirements:
      return .list([try Self.requirement(text)])
    }
  }

  private static func number(
    _ digits: String, _ text: String, in range: ClosedRange<Int64>,
    otherwise complaint: (_ least: Int64, _ most: Int64) -> String
  ) throws(ValueProblem) -> Int64 {
    guard let number = Int64(digits), range.contains(number) else {
      throw ValueProblem(words: "'\(text)' \(complaint(range.lowerBound, range.upperBound))")
    }
    return number
  }

  /// Reads the value as it stands in an environment variable, where repeated texts are separated by commas or spaces.
  func readVariable(_ text: String) throws(ValueProblem) -> OptionValue {
    switch self {
    case .repeated:
      .list(text.split { $0 == "," || $0.isWhitespace }.map(String.init))
    case .lines:
      .list(text.split(whereSeparator: \.isNewline).map(String.init))
    case .flag, .text, .names, .integer, .integerOrNever, .duration, .byteSize, .percent, .choice, .selector,
      .requirements:
      try read(text)
    }
  }

  static let never = "never"

  private static let switchWords = [
    "1": true, "true": true, "yes": true, "on": true, "0": false, "false": false, "no": false, "off": false,
  ]

  private static func names(in text: String) throws(ValueProblem) -> [String] {
    let names = text.split(separator: ",", omittingEmptySubsequences: false).map {
      $0.trimmingSpaces()
    }
    guard names.allSatisfy({ !$0.isEmpty }) else {
      throw ValueProblem(words: "'\(text)' has an empty name")
    }
    return names
  }

  private static func selector(_ text: String) throws(ValueProblem) -> String {
    do {
      _ = try JSONSelector(text)
      return text
    } catch {
      throw ValueProblem(words: error.message)
    }
  }

  private static func requirement(_ text: String) throws(ValueProblem) -> String {
    do {
      _ = try JSONRequirement(text)
      return text
    } catch {
      throw ValueProblem(words: error.message)
    }
  }

  private static func bounded(
    _ value: Int64, _ text: String, in range: ClosedRange<Int64>, as words: (Int64) -> String
  ) throws(ValueProblem) -> Int64 {
    guard range.contains(value) else {
      throw ValueProblem(
        words: "'\(text)' is not between \(words(range.lowerBound)) and \(words(range.upperBound))")
    }
    return value
  }

  private static func duration(_ text: String, in range: ClosedRange<Int64>) throws(ValueProblem) -> Int64 {
    guard let milliseconds = Quantity.milliseconds(text) else {
      throw ValueProblem(words: "'\(text)' is not a time such as 500ms, 30s, 2m or 1h")
    }
    return try bounded(milliseconds, text, in: range, as: Quantity.duration)
  }

  private static func byteSize(_ text: String, in range: ClosedRange<Int64>) throws(ValueProblem) -> Int64 {
    guard let bytes = Quantity.bytes(text) else {
      throw ValueProblem(words: "'\(text)' is not a size such as 65536, 64K, 8MiB or 1G")
    }
    return try bounded(bytes, text, in: range, as: Quantity.byteSize)
  }
}

extension StringProtocol {
  /// The text without the ASCII spaces around it.
  func trimmingSpaces() -> String {
    let afterStart = drop { $0 == " " }
    guard let last = afterStart.lastIndex(where: { $0 != " " }) else { return "" }
    return String(afterStart[...last])
  }
}
