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
