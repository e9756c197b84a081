/// What to type next, in the words with which this command was called, and to the same fleet.
struct NextCommand: Sendable {
  private let program: String
  private let fleet: [String]

  /// - Parameter program: What the user called.
  init(after arguments: ParsedArguments, program: String = Program.commandLine.first ?? "halyard") {
    self.program = program
    let named = [
      FleetOption.fleet, FleetOption.bind, FleetOption.key, FleetOption.alsoKey, FleetOption.allowKeys,
    ]
    fleet =
      named.flatMap { option in
        arguments.isOnCommandLine(option) ? [option.flag, arguments[option] ?? ""] : []
      } + (arguments.isOnCommandLine(FleetOption.insecure) ? [FleetOption.insecure.flag] : [])
  }

  /// A line that begins with `try:`, with its newline.
  func callAsFunction(_ words: String...) -> String { line(words) }

  func line(_ words: [String]) -> String { "try:   \(text(words))\n" }

  func text(_ words: [String]) -> String {
    ([program] + words + fleet).map { ShellWord.quoted(Printable.text($0)) }.joined(separator: " ")
  }
}
