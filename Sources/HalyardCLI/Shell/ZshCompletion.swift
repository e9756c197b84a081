/// Completions for zsh, as a function for its `$fpath` or to be sourced behind `compinit`.
struct ZshCompletion {
  private let commands: [CommandSpec]

  init(_ commands: [CommandSpec]) {
    self.commands = commands
  }

  var script: String {
    let names = commands.map { "    \(Self.quoted("\($0.name):\(Self.escaped($0.summary))"))" }
    return """
      #compdef halyard
      # zsh completion of halyard \(halyardVersion), printed by 'halyard completions zsh'

      _halyard_commands() {
        local -a names
        names=(
      \(names.joined(separator: "\n"))
        )
        _describe -t commands command names
      }

      _halyard_recipes() {
        _alternative 'recipes:built-in recipe:(\(Operands.recipe.completion.words.joined(separator: " ")))' 'files:file:_files'
      }

      _halyard() {
        if (( CURRENT == 2 )); then
          if [[ $words[2] == -* ]]; then
            _arguments '(- *)'{-h,--help}'[Show this help]' '(- *)--version[Show the version]'
          else
            _halyard_commands
          fi
          return
        fi
        shift words
        (( CURRENT-- ))
        case $words[1] in
      \(commands.map(lines).joined(separator: "\n"))
        esac
      }

      if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
        _halyard "$@"
      else
        compdef _halyard halyard
      fi

      """
  }

  private func lines(of command: CommandSpec) -> String {
    var specs = command.options.flatMap(Self.specs)
    if let operand = Self.operand(of: command) { specs.append(operand) }
    return
      (["  \(command.name))", "    _arguments -S \\"] + [
        specs.map { "      \($0)" }.joined(separator: " \\\n")
      ]
      + ["    ;;"]).joined(separator: "\n")
  }

  private static func specs(_ option: OptionSpec) -> [String] {
    let help = "[\(escaped(option.brief))]"
    let value = option.kind.takesValue ? ":\(escaped(option.placeholder)):\(action(option.completion))" : ""
    let others = option.flags + (option.negation.map { [$0] } ?? [])
    let excluded =
      option == .help
      ? "(- *)" : option.isRepeatable ? "*" : others.count > 1 ? "(\(others.joined(separator: " ")))" : ""
    let long = quoted(excluded + option.flag + (option.kind.takesValue ? "=" : "") + help + value)
    let short = option.short.map {
      quoted("\(excluded)-\($0)\(option.kind.takesValue ? "+" : "")\(help)\(value)")
    }
    let negation = option.negation.map { quoted("\(excluded)\($0)[\(escaped("undo \(option.flag)"))]") }
    return [long] + [short, negation].compactMap { $0 }
  }

  private static func operand(of command: CommandSpec) -> String? {
    switch command.operands {
    case .none, .workerOptions: return nil
    case .links: return "'*:URL: '"
    case .link: return "'1:URL: '"
    case .files: return "'*:FILE:_files'"
    case .batch, .optionalBatch: return "'1:BATCH: '"
    case .job: return "'1:ID or link: '"
    case .worker: return "'1:WORKER: '"
    case .scale: return "'1:ROLE:(fetchers decoders)' '2:N: '"
    case .command: return "'1:command:_halyard_commands'"
    case .recipe: return "'1:recipe:_halyard_recipes'"
    case .ledgerVerb:
      let verbs = Completion(words: command.operands.completion.words)
      return "\(quoted("1:VERB:\(action(verbs))")) '2:FILE:_files'"
    case .shell, .directory:
      return quoted("1:\(command.operands.placeholder ?? ""):\(action(command.operands.completion))")
    }
  }

  private static func action(_ completion: Completion) -> String {
    switch completion.paths {
    case .files: "_files"
    case .directories: "_files -/"
    case .none: completion.words.isEmpty ? " " : "(\(completion.words.joined(separator: " ")))"
    }
  }

  /// Harmless in a description of `_arguments` and `_describe`.
  private static func escaped(_ text: String) -> String {
    text.map { #"\[]:"#.contains($0) ? "\\\($0)" : String($0) }.joined()
  }

  private static func quoted(_ text: String) -> String {
    "'\(text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#))'"
  }
}
