/// The help of the commands for the shell and for the set-up.
extension HelpGolden {
  static let completions = #"""
    usage: halyard completions [OPTION…] bash|zsh|fish

    Prints a script that completes halyard's commands, options and their values. Options that take a
    file complete files, and 'run' completes the built-in recipes.

    General
      -h, --help  Show this help

    Examples
      halyard completions bash > halyard.bash                             for bash: source it in
                                                                          ~/.bashrc
      halyard completions zsh > ~/.zfunc/_halyard                         for zsh, in a folder of $fpath
      halyard completions fish > ~/.config/fish/completions/halyard.fish  for fish

    """#

  static let man = #"""
    usage: halyard man [OPTION…] DIRECTORY

    Writes halyard.1, a page for each command such as halyard-title.1, and halyard-recipes.5. Pages have
    a date only when SOURCE_DATE_EPOCH gives one, so that two builds write the same bytes.

    General
      -h, --help  Show this help

    Examples
      halyard man ~/.local/share/man/man1  where 'man halyard' finds them
      halyard man pages                    into ./pages, which is created

    """#
}
