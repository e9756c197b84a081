import Posix

/// What a stream leads to, as far as it matters for what we write there.
struct TerminalTraits: Hashable, Sendable {
  var isTerminal: Bool
  /// In columns; nil when unknown.
  var width: Int?
  var showsColour: Bool
  /// Whether a line can be drawn over.
  var redraws: Bool
  /// Another program reads it.
  var isPipe = false

  /// Colour needs a terminal that is not dumb, and a user who did not set NO_COLOR (https://no-color.org).
  init(isTerminal: Bool, width: Int?, environment: [String: String]) {
    self.isTerminal = isTerminal
    self.width = width
    let refusesColour = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
    redraws = isTerminal && environment["TERM"] != "dumb"
    showsColour = redraws && !refusesColour
  }
}

extension ParsedArguments {
  /// Asks about standard output (1) or standard error (2).
  func terminal(_ descriptor: Int32) -> TerminalTraits {
    var traits = TerminalTraits(
      isTerminal: isTerminal(descriptor), width: terminalWidth(descriptor), environment: environment)
    traits.isPipe = isPipe(descriptor)
    return traits
  }
}

/// What goes to standard output, as far as it matters when that is a terminal.
enum ScreenContent: Sendable {
  /// Lines of text, which can hold anything.
  case text
  /// Values in JSON, a line each.
  case json
  /// Lines with colours and the like of our own, whose foreign text is harmless already.
  case drawn

  /// The same bytes, harmless for a terminal.
  func harmless(_ bytes: [UInt8]) -> [UInt8] {
    switch self {
    case .text: Array(Printable.lines(String(decoding: bytes, as: UTF8.self)).utf8)
    case .json: Array(Printable.json(String(decoding: bytes, as: UTF8.self)).utf8)
    case .drawn: bytes
    }
  }
}
