/// The shells that halyard has completions for. Their scripts ask the program what fits each time, see `Offers`.
enum Shell: String, CaseIterable, Sendable {
  case bash
  case zsh
  case fish

  init(_ arguments: ParsedArguments) throws(UsageError) {
    let word = arguments.operands.first ?? ""
    guard let shell = Shell(rawValue: word) else {
      let known = Self.allCases.map(\.rawValue).joined(separator: ", ")
      throw UsageError("'\(word)' is not one of \(known)", command: arguments.command)
    }
    self = shell
  }

  var script: String {
    let words =
      "\(rawValue) completion of halyard \(halyardVersion), printed by 'halyard completions \(rawValue)'"
    return switch self {
    case .bash: "# \(words)\n\n\(Self.bashScript)\n"
    case .zsh: "#compdef halyard\n# \(words)\n\n\(Self.zshScript)\n"
    case .fish: "# \(words)\n\n\(Self.fishScript)\n"
    }
  }

  /// For bash 4 and newer, which need no other package. bash splits `--name=value` at the sign.
  private static let bashScript = #"""
    _halyard() {
      local typed=${COMP_WORDS[COMP_CWORD]} found words
      COMPREPLY=()
      mapfile -t found < <("${COMP_WORDS[0]/#\~/$HOME}" --complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
      words=("${found[@]:1}")
      if [[ $typed == '=' ]]; then typed=''; fi
      mapfile -t COMPREPLY < <(compgen -W "${words[*]%%$'\t'*}" -- "$typed")
      case ${found[0]} in
      files) mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$typed") ;;
      directories) mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -d -- "$typed") ;;
      esac
      if [[ ${found[0]} != none ]]; then compopt -o filenames 2>/dev/null; fi
      return 0
    }

    complete -F _halyard halyard
    """#

  /// A function for zsh's `$fpath`, or to be sourced behind `compinit`.
  private static let zshScript = #"""
    _halyard() {
      local -a found
      found=("${(@f)$(${(Q)~words[1]} --complete "${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
      if [[ $words[CURRENT] == --*=* ]]; then compset -P '*='; fi
      case $found[1] in
        files) _files ;;
        directories) _files -/ ;;
      esac
      shift found
      found=("${(@)${(@)found//:/\\:}/$'\t'/:}")
      if (( $#found )); then _describe halyard found; fi
    }

    if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
      _halyard "$@"
    else
      compdef _halyard halyard
    fi
    """#

  /// For fish 3 and newer.
  private static let fishScript = #"""
    function __halyard_offers
        set -l words (commandline -opc)
        set -l program $words[1]
        set -e words[1]
        set -l typed (commandline -ct)
        set -l start (string match -r -- '^--[^=]*=' "$typed")
        set -l found ($program --complete $words "$typed" 2>/dev/null)
        set -l paths
        switch "$found[1]"
            case files
                set paths (__fish_complete_path (string replace -- "$start" '' "$typed"))
            case directories
                set paths (__fish_complete_directories (string replace -- "$start" '' "$typed"))
        end
        set -e found[1]
        for offer in $found $paths
            printf '%s\n' "$start$offer"
        end
    end

    complete -c halyard -f -a '(__halyard_offers)'
    """#
}

/// What a shell offers where a word is due.
struct Offers: Hashable, Sendable {
  enum Paths: String, Sendable {
    case none
    case files
    case directories
  }

  struct Word: Hashable, Sendable {
    var text: String
    var about = ""
  }

  private(set) var words: [Word] = []
  private(set) var paths = Paths.none

  init(_ words: [String] = [], paths: Paths = .none) {
    (self.words, self.paths) = (words.map { Word(text: $0) }, paths)
  }

  /// - Parameter line: The words behind the program's name, the last as far as it is typed. A `=` may stand apart, as in bash.
  init(behind line: [String]) {
    guard line.count > 1 else {
      words = CommandTable.commands.map { Word(text: $0.name, about: $0.summary) }
      words += [Word(text: "--help"), Word(text: "--version")]
      return
    }
    guard let command = CommandTable.command(named: line[0]) else { return }
    var before = line.dropFirst()
    let last = before.removeLast()
    let typed = last == "=" ? "" : last
    if last != "=", before.last == "=" { before.removeLast() }
    let isPastOptions = before.contains("--")
    let hasValue = last.hasPrefix("--") && last.contains("=")
    let flag = hasValue ? String(last.prefix { $0 != "=" }) : before.last ?? ""
    let option = isPastOptions ? nil : command.options.first { $0.kind.takesValue && $0.isCalled(flag) }
    if let option {
      self = Offers(for: option)
      return
    }
    self = command.operands.offers()
    if typed.hasPrefix("-") { (words, paths) = ([], .none) }
    // Where nothing else is known, they tell what there is.
    if !isPastOptions, typed.hasPrefix("-") || (typed.isEmpty && self == Offers()) {
      words = command.options.flatMap(\.offers)
    }
  }

  private init(for option: OptionSpec) {
    let paths = ["FILE": Paths.files, "DIR": .directories]
    self.init(option.kind.words, paths: paths[option.placeholder] ?? .none)
  }

  /// Which paths, and then each word, with what it is about behind a tab.
  var text: String {
    let lines = words.map { $0.about.isEmpty ? $0.text : "\($0.text)\t\($0.about)" }
    return ([paths.rawValue] + lines).map { "\($0)\n" }.joined()
  }
}

extension OptionSpec {
  fileprivate func isCalled(_ flag: String) -> Bool { flag == self.flag || short.map { "-\($0)" } == flag }

  fileprivate var offers: [Offers.Word] {
    [Offers.Word(text: flag, about: brief)]
      + (negation.map { [Offers.Word(text: $0, about: "undo \(flag)")] } ?? [])
  }

  /// The summary's first clause, as far as it fits on a line.
  private var brief: String {
    let words = summary.split(separator: " ")
    let end = words.firstIndex { $0.hasSuffix(".") || $0.hasSuffix(";") }
    let clause = words[...(end ?? words.count - 1)].joined(separator: " ")
    let line = TextLayout.wrapped(clause, width: 76).first ?? ""
    guard line.count == clause.count else { return "\(line)…" }
    return end == nil ? clause : String(clause.dropLast())
  }
}
