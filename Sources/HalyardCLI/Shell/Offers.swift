/// What a shell offers where a word is due.
struct Offers: Hashable, Sendable {
  enum Paths: String, Sendable {
    case none
    case files
    case directories
  }

  struct Word: Hashable, Sendable {
    var text: String
    var about = ""
  }

  private(set) var words: [Word] = []
  private(set) var paths = Paths.none

  init(_ words: [String] = [], paths: Paths = .none) {
    (self.words, self.paths) = (words.map { Word(text: $0) }, paths)
  }

  /// - Parameter line: The words behind the program's name, the last as far as it is typed. A `=` may stand apart, as in bash.
  init(behind line: [String]) {
    guard line.count > 1 else {
      words = CommandTable.commands.map { Word(text: $0.name, about: $0.summary) }
      words += [Word(text: "--help"), Word(text: "--version")]
      return
    }
    guard let command = CommandTable.command(named: line[0]) else { return }
    var before = line.dropFirst()
    let last = before.removeLast()
    let typed = last == "=" ? "" : last
    if last != "=", before.last == "=" { before.removeLast() }
    let isPastOptions = before.contains("--")
    let hasValue = last.hasPrefix("--") && last.contains("=")
    let flag = hasValue ? String(last.prefix { $0 != "=" }) : before.last ?? ""
    let option = isPastOptions ? nil : command.options.first { $0.kind.takesValue && $0.isCalled(flag) }
    if let option {
      self = Offers(for: option)
      return
    }
    self = command.operands.offers()
    if typed.hasPrefix("-") { (words, paths) = ([], .none) }
    // Where nothing else is known, they tell what there is.
    if !isPastOptions, typed.hasPrefix("-") || (typed.isEmpty && self == Offers()) {
      words = command.options.flatMap(\.offers)
    }
  }

  private init(for option: OptionSpec) {
    let paths = ["FILE": Paths.files, "DIR": .directories]
    self.init(option.kind.words, paths: paths[option.placeholder] ?? .none)
  }

  /// Which paths, and then each word, with what it is about behind a tab.
  var text: String {
    let lines = words.map { $0.about.isEmpty ? $0.text : "\($0.text)\t\($0.about)" }
    return ([paths.rawValue] + lines).map { "\($0)\n" }.joined()
  }
}

extension OptionSpec {
  fileprivate func isCalled(_ flag: String) -> Bool { flag == self.flag || short.map { "-\($0)" } == flag }

  fileprivate var offers: [Offers.Word] {
    [Offers.Word(text: flag, about: brief)]
      + (negation.map { [Offers.Word(text: $0, about: "undo \(flag)")] } ?? [])
  }

  /// The summary's first clause, as far as it fits on a line.
  private var brief: String {
    let words = summary.split(separator: " ")
    let end = words.firstIndex { $0.hasSuffix(".") || $0.hasSuffix(";") }
    let clause = words[...(end ?? words.count - 1)].joined(separator: " ")
    let line = TextLayout.wrapped(clause, width: 76).first ?? ""
    guard line.count == clause.count else { return "\(line)…" }
    return end == nil ? clause : String(clause.dropLast())
  }
}
