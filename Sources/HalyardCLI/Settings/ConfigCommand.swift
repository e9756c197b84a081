/// The command `config`: what each option is worth, and why.
enum ConfigCommand {
  static func run(_ arguments: ParsedArguments) throws -> ExitCode {
    var commands = CommandTable.commands
    if let name = arguments.operands.first {
      commands = [try Invocation.command(named: name, words: ["config", name])]
    }
    let (environment, file) = (arguments.environment, arguments[ConfigOption.config])
    let values = try commands.map {
      try ArgumentParser.defaults(of: $0, environment, .defaultFiles(environment), file)
    }
    let tables = values.compactMap { ShownTable($0) } + ShownTable.hosts(values)
    return try arguments.show(
      json: tables.flatMap(\.json), text: tables.map(\.text).joined(separator: "\n"))
  }
}
