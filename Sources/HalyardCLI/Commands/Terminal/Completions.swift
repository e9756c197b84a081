extension CommandTable {
  static let completions = CommandSpec(
    name: "completions",
    summary: "Print a completion script for bash, zsh or fish",
    description: [
      "Prints a script that completes halyard's commands, options and their values. Options that take a file complete"
        + " files, and 'run' completes the built-in recipes."
    ],
    operands: .shell,
    options: [.help],
    examples: [
      Example(
        command: "halyard completions bash > halyard.bash", effect: "for bash: source it in ~/.bashrc"),
      Example(
        command: "halyard completions zsh > ~/.zfunc/_halyard", effect: "for zsh, in a folder of $fpath"),
      Example(
        command: "halyard completions fish > ~/.config/fish/completions/halyard.fish", effect: "for fish"),
    ],
    run: { try CompletionsCommand($0.arguments).run() })
}
