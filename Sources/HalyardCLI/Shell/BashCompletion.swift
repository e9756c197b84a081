/// Completions for bash 4 and newer, which need no other package.
struct BashCompletion {
  private let commands: [CommandSpec]

  init(_ commands: [CommandSpec]) {
    self.commands = commands
  }

  var script: String {
    let names = commands.map(\.name).joined(separator: " ")
    return """
      # bash completion of halyard \(halyardVersion), printed by 'halyard completions bash'

      _halyard_offer() {
        # $1: words, $2: files or directories or nothing, $3: what is typed so far
        mapfile -t COMPREPLY < <(compgen -W "$1" -- "$3")
        case $2 in
        files) mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$3") ;;
        directories) mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -d -- "$3") ;;
        esac
        if [[ $2 ]]; then compopt -o filenames 2>/dev/null; fi
        return 0
      }

      _halyard() {
        local typed=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} word options='' operands='' paths=''
        COMPREPLY=()
        if ((COMP_CWORD == 1)); then
          _halyard_offer '\(names) --help --version' '' "$typed"
          return
        fi
        # bash splits --name=value at the sign.
        if [[ $typed == '=' ]]; then
          typed=''
        elif [[ $before == '=' ]]; then
          before=${COMP_WORDS[COMP_CWORD-2]}
        fi
        for word in "${COMP_WORDS[@]:2:COMP_CWORD-2}"; do
          if [[ $word == -- ]]; then before=''; fi
        done
        case ${COMP_WORDS[1]} in
      \(commands.map(lines).joined(separator: "\n"))
        *) return ;;
        esac
        for word in "${COMP_WORDS[@]:2:COMP_CWORD-2}"; do
          if [[ $word == -- ]]; then options=''; fi
        done
        if [[ $typed == -* ]]; then paths=''; fi
        _halyard_offer "$options $operands" "$paths" "$typed"
      }

      complete -F _halyard halyard

      """
  }

  private func lines(of command: CommandSpec) -> String {
    var lines = ["  \(command.name))", "    case $before in"]
    for (completion, flags) in values(of: command) {
      let flags = flags.joined(separator: " | ")
      if completion == Completion() {
        lines.append("    \(flags)) return ;;")
      } else {
        let words = completion.words.joined(separator: " ")
        lines.append(
          "    \(flags)) _halyard_offer '\(words)' '\(Self.paths(completion))' \"$typed\"; return ;;")
      }
    }
    let flags = command.options.flatMap { $0.flags + ($0.negation.map { [$0] } ?? []) }
    lines += [
      "    esac", "    options='\(flags.joined(separator: " "))'",
      "    operands='\(command.operands.completion.words.joined(separator: " "))'",
      "    paths='\(Self.paths(command.operands.completion))'", "    ;;",
    ]
    return lines.joined(separator: "\n")
  }

  /// The options that take a value, those together that have the same ones.
  private func values(of command: CommandSpec) -> [(Completion, [String])] {
    var found: [(Completion, [String])] = []
    for option in command.options where option.kind.takesValue {
      if let index = found.firstIndex(where: { $0.0 == option.completion }) {
        found[index].1 += option.flags
      } else {
        found.append((option.completion, option.flags))
      }
    }
    return found
  }

  private static func paths(_ completion: Completion) -> String {
    switch completion.paths {
    case .none: ""
    case .files: "files"
    case .directories: "directories"
    }
  }
}
