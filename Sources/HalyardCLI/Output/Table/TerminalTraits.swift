internal import Posix

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

  /// Asks about standard output (1) or standard error (2).
  init(descriptor: Int32, environment: [String: String]) {
    let isTerminal = Posix.isTerminal(descriptor)
    self.init(isTerminal: isTerminal, width: Posix.terminalWidth(descriptor), environment: environment)
    isPipe = Posix.isPipe(descriptor)
  }

  /// Colour needs a terminal that is not dumb, and a user who did not set NO_COLOR (https://no-color.org).
  init(isTerminal: Bool, width: Int?, environment: [String: String]) {
    self.isTerminal = isTerminal
    self.width = width
    let refusesColour = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
    redraws = isTerminal && environment["TERM"] != "dumb"
    showsColour = redraws && !refusesColour
  }
}
