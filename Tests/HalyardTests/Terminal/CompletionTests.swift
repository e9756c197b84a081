import Testing

/// The completion scripts, in the shells that they are for.
@Suite(.timeLimit(.minutes(10)))
struct CompletionTests {
  struct Line: CustomTestStringConvertible, Sendable {
    var typed: String
    var offers: [String]

    var testDescription: String { typed }
  }

  private static let lines = [
    Line(typed: "halyard ti", offers: ["title"]),
    Line(typed: "halyard re", offers: ["requeue", "results", "resume"]),
    Line(typed: "halyard help tit", offers: ["title"]),
    Line(typed: "halyard title --fo", offers: ["--format"]),
    Line(typed: "halyard title --no-resp", offers: ["--no-respect-robots"]),
    Line(typed: "halyard title --format t", offers: ["table", "tsv"]),
    Line(typed: "halyard decode --format=c", offers: ["csv"]),
    Line(typed: "halyard run us", offers: ["users"]),
    Line(typed: "halyard completions z", offers: ["zsh"]),
    Line(typed: "halyard title --input here", offers: ["here.txt"]),
    Line(typed: "halyard title -o here", offers: ["here.txt"]),
    Line(typed: "halyard up --run-dir h", offers: ["harbour"]),
    Line(typed: "halyard title --column h", offers: []),
    Line(typed: "halyard keys --format", offers: []),
  ]

  /// Stands in a folder with a file and a directory to offer.
  private func offers(_ tool: Tool, _ script: String, _ typed: String) async throws -> Set<String> {
    let folder = try Folder()
    _ = try folder.path("here.txt", holding: "")
    let inside = try folder.path("harbour/inside")
    let completions = try folder.path(
      "completions", holding: try await halyard("completions", tool.rawValue).output)
    let helper = try folder.path("helper", holding: script)
    let directory = inside.dropLast("/harbour/inside".count)
    let ended = try await Tool.bash.run(
      [
        "-c", "cd \"$0\" && mkdir harbour && export PATH=\"\(Child.programFolder):$PATH\" && exec \"$@\"",
        String(directory),
        tool.rawValue,
      ] + (tool == .bash ? [] : [tool == .zsh ? "-f" : "--no-config"]) + [helper, completions, typed])
    if tool == .zsh {
      let found = try folder.content("found")
      return Set(found.split(separator: "\n").map(String.init))
    }
    #expect(ended.messages == "")
    return Set(ended.output.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) })
  }

  private static let bashScript = #"""
    source "$1"
    read -ra COMP_WORDS <<<"${2/=/ = }"
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    _halyard
    printf '%s\n' "${COMPREPLY[@]}"
    """#

  @Test(arguments: lines)
  func `bash offers what fits`(line: Line) async throws {
    #expect(try await offers(.bash, Self.bashScript, line.typed) == Set(line.offers))
  }

  private static let fishScript = """
    source $argv[1]
    complete -C $argv[2]
    """

  @Test(arguments: lines)
  func `fish offers what fits`(line: Line) async throws {
    let found = try await offers(.fish, Self.fishScript, line.typed)
    // It offers the value together with its option, and a directory with a slash.
    #expect(
      Set(found.map { String(($0.split(separator: "=").last ?? "").prefix { $0 != "/" }) })
        == Set(line.offers))
  }

  /// zsh completes only at a terminal, so one is made for it; it ends after the first completion.
  private static let zshScript = #"""
    zmodload zsh/zpty
    zpty shell zsh -f -i
    print -r -- 'autoload -Uz compinit
    compinit -D -u
    source $1
    compadd() {
      local -a found
      builtin compadd -O found "$@"
      print -rl -- $found >> found
      builtin compadd "$@"
    }
    finish() { exit }
    comppostfuncs=(finish)' > inner
    : > found
    zpty -w shell "source ./inner ${(q)1}"
    zpty -w -n shell "$2"$'\t'
    while zpty -r shell line; do :; done
    """#

  @Test(arguments: lines)
  func `zsh offers what fits`(line: Line) async throws {
    let found = try await offers(.zsh, Self.zshScript, line.typed)
    #expect(found.isSuperset(of: line.offers))
    #expect(!line.offers.isEmpty || found.isEmpty)
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func `the documented way to install completions works`(shell: String) async throws {
    let ended = try await halyard("completions", shell)
    #expect(ended.status == 0)
    #expect(
      ended.output.hasPrefix(shell == "zsh" ? "#compdef halyard\n" : "# \(shell) completion of halyard"))
  }
}
