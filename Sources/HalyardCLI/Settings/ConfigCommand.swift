import Posix

/// The command `config`: what each option is worth, and why.
struct ConfigCommand {
  private let printsJSON: Bool
  private let values: [(command: CommandSpec, arguments: ParsedArguments)]

  init(_ arguments: ParsedArguments) throws(UsageError) {
    printsJSON = arguments[FleetOption.json]
    var commands = CommandTable.commands
    if let name = arguments.operands.first {
      commands = [try Invocation.command(named: name, words: ["config", name])]
    }
    let file = arguments[ConfigOption.config]
    let (environment, settings) = (arguments.environment, SettingsSource.defaultFiles(arguments.environment))
    values = try commands.map { (command) throws(UsageError) in
      (command, try ArgumentParser.defaults(of: command, environment, settings, file))
    }
  }

  func run() throws -> ExitCode {
    let tables = values.compactMap { ShownTable($0, $1) } + ShownTable.hosts(values.map(\.arguments))
    try DescriptorSink(printsJSON ? .json : .text).write(
      printsJSON ? tables.flatMap(\.json) : Array(tables.map(\.text).joined(separator: "\n").utf8))
    return .ok
  }
}
