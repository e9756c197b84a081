/// The commands for the shell around the program, and for its set-up.
extension CommandTable {
  static let terminalCommands = [completions, man]

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
    ])

  static let man = CommandSpec(
    name: "man",
    summary: "Write the manual pages into a directory",
    description: [
      "Writes halyard.1, a page for each command such as halyard-title.1, and halyard-recipes.5. Pages have a date only"
        + " when SOURCE_DATE_EPOCH gives one, so that two builds write the same bytes."
    ],
    operands: .directory,
    options: [.help],
    examples: [
      Example(command: "halyard man ~/.local/share/man/man1", effect: "where 'man halyard' finds them"),
      Example(command: "halyard man pages", effect: "into ./pages, which is created"),
    ])
}
