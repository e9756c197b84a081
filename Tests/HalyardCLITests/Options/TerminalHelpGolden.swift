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

  static let config = #"""
    usage: halyard config [OPTION…] [COMMAND]

    Prints the options of one command, or of all, as TOML: the value that counts, and behind it the
    variable or the file and line that gave it.

    Settings are read from $XDG_CONFIG_HOME/halyard/config.toml (else ~/.config) and
    /etc/halyard/config.toml; --config or HALYARD_CONFIG names a file to read instead of both. An option
    stands in the table of its command, '[title]' and below it 'concurrency = 64', or above all tables
    for every command that has it. The command line goes before variables, these before the user's file,
    and that before the system's.

    A table such as '[hosts."t.co"]', or '[hosts."*.example.com"]' for all sub-domains, has settings for
    that host alone, which go before any option: 'user-agent', 'headers' as a table or as an array of
    'Name: value', 'per-host', and 'delay' as in --host-delay. The most specific table that has a
    setting counts. Headers go to no other host, and where a link begins with https, not over http. In a
    fleet, fetchers go by the first two, the aggregator by the others.

    A file that other users can change is refused, and so is a setting that is unknown or wrong, with
    its line and column.

    Output
          --json         Print JSON, one object a line

    General
          --config FILE  Take settings from FILE alone; else from the user's and the system's, see
                         'halyard config --help'
      -h, --help         Show this help

    Examples
      halyard config title                the settings of title
      halyard config --config draft.toml  is this file sound?
      halyard config --json               all of them, for programs

    Many options have variables for their defaults: HALYARD_CONFIG for --config, and so on.

    """#

  static let doctor = #"""
    usage: halyard doctor [OPTION…]

    Checks libraries, certificates, names, open files, the ledger, the fleet and the kernel's sandbox.
    Each is ok, a warning or trouble, with what to do about it. Exits with 1 when there is trouble.

    It changes nothing, and asks no machine but the fleet's.

    Output
          --json                Print JSON, one object a line
          --log-level LEVEL     What to tell on standard error besides (debug, info, warning, error;
                                default warning)
          --log-format FORMAT   How to write the log: as text, as JSON of one object a line, or as text
                                for systemd's journal (text, json, journal; default journal where
                                standard error leads there, else text)

    Fleet
          --ledger FILE         Keep jobs and rows in FILE instead of DIR/ledger.db
          --fleet ADDRESS       The fleet to talk to: its run directory, or ipc://PATH, or
                                tcp://HOST:PORT; else the one that scripts/fleet starts
          --wait TIME           How long to wait for the fleet's answer (default 5s)
          --bind ADDRESS        Where to be reached, such as tcp://10.0.0.7:0; not needed on the fleet's
                                own machine
          --key FILE            Encrypt TCP with the keys in FILE, which 'halyard keys' makes
          --allow-keys FILE     Take messages from the holders of these public keys, one a line; else of
                                the own one
          --insecure-transport  Use TCP without keys: everybody who reaches it, on this machine too, can
                                read and forge it

    Limits and politeness
          --cacert FILE         Trust the authorities in this PEM file, and no others

    General
          --config FILE         Take settings from FILE alone; else from the user's and the system's,
                                see 'halyard config --help'
      -h, --help                Show this help

    Examples
      halyard doctor                                           for people
      halyard doctor --ledger /var/lib/halyard/jobs.db --json  for programs

    Many options have variables for their defaults: HALYARD_LEDGER for --ledger, and so on.
    TIME is 500ms, 30s, 2m or 1h; a bare number counts seconds.

    """#

  static let version = #"""
    usage: halyard version [OPTION…]

    Prints the version, the commit of the sources, the Swift that compiled them, and the versions and
    features of the libraries in use. Put it into bug reports. 'halyard --version --verbose' prints the
    same.

    Output
          --json         Print JSON, one object a line

    General
          --config FILE  Take settings from FILE alone; else from the user's and the system's, see
                         'halyard config --help'
      -h, --help         Show this help

    Examples
      halyard version         for people
      halyard version --json  for programs

    Many options have variables for their defaults: HALYARD_CONFIG for --config, and so on.

    """#

  static let ping = #"""
    usage: halyard ping [OPTION…]

    Sends a job that touches nothing outside through aggregator, fetcher and decoder, and tells how long
    each part of the way took, by the clocks of their machines.

    Output
          --json                Print JSON, one object a line
          --log-level LEVEL     What to tell on standard error besides (debug, info, warning, error;
                                default warning)
          --log-format FORMAT   How to write the log: as text, as JSON of one object a line, or as text
                                for systemd's journal (text, json, journal; default journal where
                                standard error leads there, else text)

    Fleet
          --fleet ADDRESS       The fleet to talk to: its run directory, or ipc://PATH, or
                                tcp://HOST:PORT; else the one that scripts/fleet starts
          --wait TIME           How long to wait for the fleet's answer (default 5s)
          --bind ADDRESS        Where to be reached, such as tcp://10.0.0.7:0; not needed on the fleet's
                                own machine
          --key FILE            Encrypt TCP with the keys in FILE, which 'halyard keys' makes
          --allow-keys FILE     Take messages from the holders of these public keys, one a line; else of
                                the own one
          --insecure-transport  Use TCP without keys: everybody who reaches it, on this machine too, can
                                read and forge it

    General
          --count N             How many, one after the other (default 1)
          --config FILE         Take settings from FILE alone; else from the user's and the system's,
                                see 'halyard config --help'
      -h, --help                Show this help

    Examples
      halyard ping                    check that the fleet answers
      halyard ping --count 10 --json  ten times, for programs

    Many options have variables for their defaults: HALYARD_FLEET for --fleet, and so on.
    TIME is 500ms, 30s, 2m or 1h; a bare number counts seconds.

    """#
}
