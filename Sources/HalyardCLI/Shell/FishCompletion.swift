/// Completions for fish 3 and newer.
struct FishCompletion {
  private let commands: [CommandSpec]

  init(_ commands: [CommandSpec]) {
    self.commands = commands
  }

  var script: String {
    let header = """
      # fish completion of halyard \(halyardVersion), printed by 'halyard completions fish'

      function __halyard_needs_command
          test (count (commandline -opc)) -eq 1
      end

      function __halyard_runs
          set -l words (commandline -opc)
          test (count $words) -gt 1; and test $words[2] = $argv[1]
      end

      complete -c halyard -f
      complete -c halyard -n __halyard_needs_command -s h -l help -d 'Show this help'
      complete -c halyard -n __halyard_needs_command -l version -d 'Show the version'
      """
    let names = commands.map {
      "complete -c halyard -n __halyard_needs_command -a \($0.name) -d \(Self.quoted($0.summary))"
    }
    return ([header] + names + commands.flatMap(lines)).joined(separator: "\n") + "\n"
  }

  private func lines(of command: CommandSpec) -> [String] {
    let start = "complete -c halyard -n '__halyard_runs \(command.name)'"
    var lines = command.options.map { option in
      let short = option.short.map { " -s \($0)" } ?? ""
      let value = option.kind.takesValue ? Self.value(option.completion) : ""
      return "\(start)\(short) -l \(option.name)\(value) -d \(Self.quoted(option.brief))"
    }
    lines += command.options.compactMap(\.negation).map { negation in
      "\(start) -l \(negation.dropFirst(2)) -d \(Self.quoted("undo --\(negation.dropFirst("--no-".count))"))"
    }
    let operands = command.operands.completion
    if !operands.words.isEmpty {
      lines.append("\(start) -a \(Self.quoted(operands.words.joined(separator: " ")))")
    }
    switch operands.paths {
    case .none: break
    case .files: lines.append("\(start) -F")
    case .directories: lines.append("\(start) -a \(Self.directories)")
    }
    return lines
  }

  private static let directories = "'(__fish_complete_directories (commandline -ct))'"

  private static func value(_ completion: Completion) -> String {
    switch completion.paths {
    case .files: " -r -F"
    case .directories: " -x -a \(directories)"
    case .none: completion.words.isEmpty ? " -x" : " -x -a \(quoted(completion.words.joined(separator: " ")))"
    }
  }

  private static func quoted(_ text: String) -> String {
    "'\(text.map { $0 == "'" || $0 == "\\" ? "\\\($0)" : String($0) }.joined())'"
  }
}
