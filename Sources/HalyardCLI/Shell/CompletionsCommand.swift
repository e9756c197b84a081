struct CompletionsCommand {
  private let shell: Shell

  init(_ arguments: ParsedArguments) throws(UsageError) {
    let word = arguments.operands.first ?? ""
    guard let shell = Shell(rawValue: word) else {
      let known = Shell.allCases.map(\.rawValue).joined(separator: ", ")
      throw UsageError("'\(word)' is not one of \(known)", command: arguments.command)
    }
    self.shell = shell
  }

  func run() throws -> ExitCode {
    try DescriptorSink().write(Array(shell.completions(of: CommandTable.commands).utf8))
    return .ok
  }
}
