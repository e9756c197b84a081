/// What to type next, in the words with which this command was called, and to the same fleet.
struct NextCommand: Sendable {
  private let program: String
  private let fleet: [String]

  /// - Parameter program: What the user called.
  init(after arguments: ParsedArguments, program: String = Program.commandLine.first ?? "halyard") {
    self.program = program
    let named = [OptionSpec](FleetOption.fleet, FleetOption.bind, FleetOption.keys)
    fleet = arguments.words(of: named.filter { arguments.isOnCommandLine($0) })
  }

  /// A line that begins with `try:`, with its newline.
  func callAsFunction(_ words: String...) -> String { line(words) }

  func line(_ words: [String]) -> String { "try:   \(text(words))\n" }

  func text(_ words: [String]) -> String {
    ([program] + words + fleet).map { ShellWord.quoted(Printable.text($0)) }.joined(separator: " ")
  }
}
