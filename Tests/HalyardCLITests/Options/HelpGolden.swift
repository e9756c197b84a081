/// The help pages word for word; a change of the command table must be a change here too.
enum HelpGolden {
  static let main = #"""
    halyard 0.1.0: follows links to where they lead and tells what is there

    usage: halyard COMMAND [OPTION…] [ARGUMENT…]

    Commands
      unfurl       Tell where each link leads
      title        Tell where each link leads and what is there: title and link card
      decode       Fetch JSON, check it, print it or a part of it
      run          Run a recipe: a chain of calls whose answers are gathered in order
      explain      Tell every step on the way of one link, and why it was taken
      demo         Try all of it on a small site of its own; needs no internet
      submit       Hand links to a running fleet, and go
      results      Print the rows of a batch
      watch        Watch a fleet at work
      status       Tell how a fleet is
      cancel       End the jobs of a batch that are not over
      requeue      Try the failed jobs of a batch once more
      ping         Send an echo through every role of a fleet
      up           Run a fleet on this machine: an aggregator, fetchers and decoders
      aggregator   Run a fleet's aggregator
      fetcher      Run a fetcher of a fleet
      decoder      Run a decoder of a fleet
      keys         Make the keys of a fleet that talks over TCP
      doctor       Check that this machine is fit to run halyard
      config       Show every setting, its value and where it comes from
      completions  Print a completion script for bash, zsh or fish
      man          Write the manual pages into a directory
      version      Show the version, the commit and the libraries in use
      help         Show the help of a command

    Options
      -h, --help     Show this help
          --version  Show the version; with --verbose as 'version' does

    Examples
      halyard unfurl https://bit.ly/3xyz            one link
      halyard title https://example.org/            one page
      halyard decode https://api.example.org/items  the whole document

    Exit codes
      0         every job ended well
      1         the run is complete, some jobs failed
      64        the command line makes no sense
      65        the input cannot be read, or the output written
      69        the ledger or the fleet cannot be used
      70        a fault of halyard itself
      130, 143  ended by Ctrl-C or SIGTERM

    Rows go to standard output, everything else to standard error.
    'halyard COMMAND --help' shows the options of a command.

    """#

  static let short = #"""
    usage: halyard COMMAND [OPTION…] [ARGUMENT…]

    Commands
      unfurl       Tell where each link leads
      title        Tell where each link leads and what is there: title and link card
      decode       Fetch JSON, check it, print it or a part of it
      run          Run a recipe: a chain of calls whose answers are gathered in order
      explain      Tell every step on the way of one link, and why it was taken
      demo         Try all of it on a small site of its own; needs no internet
      submit       Hand links to a running fleet, and go
      results      Print the rows of a batch
      watch        Watch a fleet at work
      status       Tell how a fleet is
      cancel       End the jobs of a batch that are not over
      requeue      Try the failed jobs of a batch once more
      ping         Send an echo through every role of a fleet
      up           Run a fleet on this machine: an aggregator, fetchers and decoders
      aggregator   Run a fleet's aggregator
      fetcher      Run a fetcher of a fleet
      decoder      Run a decoder of a fleet
      keys         Make the keys of a fleet that talks over TCP
      doctor       Check that this machine is fit to run halyard
      config       Show every setting, its value and where it comes from
      completions  Print a completion script for bash, zsh or fish
      man          Write the manual pages into a directory
      version      Show the version, the commit and the libraries in use
      help         Show the help of a command

    try:   halyard --help

    """#

  static let unfurl = #"""
    usage: halyard unfurl [OPTION…] [URL…]

    Follows every redirect of each link: the final address, its status, the hops. One row per link.

    Links are arguments, or come from --input: one per line, in a CSV column, or as JSONL jobs
    {"url":…,"kind":…,"ref":…} where only url is needed and ref comes back in the row; a title may have
    its own oembed, a decode its own select, require and unwrap.

    Input
          --input FILE           Read links from FILE, gzip or not; '-' is standard input
          --input-format FORMAT  How the input is written (auto, lines, csv, jsonl; default auto)
          --column NAME          CSV column of the links; not needed when there is one column, or one
                                 named url, link or href
          --keep NAME,…          CSV columns to carry along into each row, as kept.NAME

    Output
          --format FORMAT        How to print rows (jsonl, csv, tsv, table; default table on a terminal,
                                 else jsonl)
          --fields NAME,…        Members of the row to print, in this order:
                                 input,url,card.image,error.kind
          --csv-safe             Begin cells of csv and tsv with ' where a spreadsheet would take them
                                 for formulas (undone by --no-csv-safe)
      -o, --output FILE          Write the rows to FILE; .csv and .tsv set the format. They stand in
                                 FILE.part until the command ends or is interrupted, and take FILE's
                                 place then; when it is refused, FILE stays as it was
          --ordered              Print rows in the order of the input (undone by --no-ordered)
          --ledger FILE          Also keep jobs and rows in FILE: after an interruption the same command
                                 goes on, and no link that was done is fetched again
          --progress WHEN        Progress on standard error; auto means on a terminal (auto, always,
                                 never; default auto)
          --quiet                No progress line, no summary (undone by --no-quiet)
          --log-level LEVEL      What to tell on standard error besides (debug, info, warning, error;
                                 default warning)
          --log-format FORMAT    How to write the log: as text, as JSON of one object a line, or as text
                                 for systemd's journal (text, json, journal; default journal where
                                 standard error leads there, else text)

    Fleet
          --fleet ADDRESS        Let this fleet do the work instead of this process: its run directory,
                                 or ipc://PATH, or tcp://HOST:PORT
          --wait TIME            How long to wait for the fleet's answer, or, without a terminal, for a
                                 --ledger whose disk is full (default 5s, and 5m from a fleet that has
                                 answered and for a ledger)
          --bind ADDRESS         Where to be reached, such as tcp://10.0.0.7:0; not needed on the
                                 fleet's own machine
          --key FILE             Encrypt TCP with the keys in FILE, which 'halyard keys' makes
          --allow-keys FILE      Take messages from the holders of these public keys, one a line; else
                                 of the own one
          --insecure-transport   Use TCP without keys: everybody who reaches it, on this machine too,
                                 can read and forge it

    Requests
          --method METHOD        How to ask where no page is read: head is lighter, misses refreshes in
                                 pages, and asks once more with get what refuses it (get, head; default
                                 get)
          --header TEXT          Say 'Name: value' to the link's own site, and not to those it redirects
                                 to; may be given again
          --cookie TEXT          Likewise a cookie, name=value; may be given again

    Limits and politeness
          --concurrency N        Transfers at a time (default 256)
          --per-host N           Transfers at a time with one host, wherever links lead (default 8)
          --host-delay TIME      Pause between two transfers with one host (default 0)
          --max-hops N           Redirects to follow for one link (default 20)
          --timeout TIME         Time for one attempt, redirects included; a slow first byte may take
                                 10s of it, all of it above the default (default 30s)
          --deadline TIME        Time for one job, all its attempts and pauses included (default none)
          --max-body SIZE        Bytes to read of a page once decompressed, 12MiB at most; what follows
                                 is ignored (default 1MiB)
          --retries N            Further attempts after a failure that may pass (default 3)
          --retry-budget SHARE   Retries in all, as a share of the jobs; 100 more are always free
                                 (default 20%)
          --give-up N|never      How often in a row a host cannot be reached until it is given up: its
                                 jobs fail at once for ten minutes; 'never' tries them all. An answer
                                 such as 503 reaches it (default 15)
          --user-agent TEXT      How to introduce ourselves to servers (default halyard/0.1.0)
          --allow-address CIDR   Also talk to these addresses, such as 10.0.0.0/8, 127.0.0.1:8080 or
                                 [::1]:8080, or to those that @FILE lists, one a line; may be given
                                 again. Private, loopback and other special addresses are refused
                                 otherwise
          --respect-robots       Ask each site's robots.txt first, at every hop, and fetch nothing that
                                 it refuses to the name in --user-agent (undone by --no-respect-robots)
          --proxy URL            Fetch through this proxy: http://HOST:PORT, https://… or socks5h://…,
                                 with USER:PASSWORD@ if it wants them. A link's name is looked up on
                                 this machine first, with socks5h too, and a name that is unknown here
                                 is not asked of the proxy. http_proxy and the like are ignored
          --cacert FILE          Trust the authorities in this PEM file, and no others
          --insecure             Accept any certificate, without knowing who answers (undone by
                                 --no-insecure)
          --http1                Speak HTTP/1.1 only, also where a server offers HTTP/2 (undone by
                                 --no-http1)
          --cache TIME           Fetch no link again that was fetched less than TIME ago: its row has
                                 the findings of then (default none)
          --cache-failures TIME  Likewise links that failed for good, or answered with 4xx or 5xx
                                 (default a tenth of --cache)
          --cache-file FILE      Keep findings in FILE; else they are in the --ledger, or in
                                 ~/.cache/halyard/results.db

    General
          --config FILE          Take settings from FILE alone; else from the user's and the system's,
                                 see 'halyard config --help'
      -h, --help                 Show this help

    Examples
      halyard unfurl https://bit.ly/3xyz                        one link
      halyard unfurl --input links.txt --format csv -o out.csv  a file, a link per line
      halyard unfurl --input posts.csv --column url --keep id   a CSV column, its id kept

    Without --fields, jsonl has the whole row, and csv and tsv have
    input,status,url,http_status,error.kind.
    Many options have variables for their defaults: HALYARD_FORMAT for --format, and so on.
    TIME is 500ms, 30s, 2m or 1h; a bare number counts seconds.
    SIZE is a number of bytes, or 64K, 8MiB, 1G; K, M and G count in 1024.

    """#

  static let title = #"""
    usage: halyard title [OPTION…] [URL…]

    Follows each link and reads the page behind it: its title, and the card that a link preview would
    show (title, description, image, site). One row per link.

    Links are arguments, or come from --input: one per line, in a CSV column, or as JSONL jobs
    {"url":…,"kind":…,"ref":…} where only url is needed and ref comes back in the row; a title may have
    its own oembed, a decode its own select, require and unwrap.

    Input
          --input FILE           Read links from FILE, gzip or not; '-' is standard input
          --input-format FORMAT  How the input is written (auto, lines, csv, jsonl; default auto)
          --column NAME          CSV column of the links; not needed when there is one column, or one
                                 named url, link or href
          --keep NAME,…          CSV columns to carry along into each row, as kept.NAME

    Output
          --format FORMAT        How to print rows (jsonl, csv, tsv, table; default table on a terminal,
                                 else jsonl)
          --fields NAME,…        Members of the row to print, in this order:
                                 input,url,card.image,error.kind
          --csv-safe             Begin cells of csv and tsv with ' where a spreadsheet would take them
                                 for formulas (undone by --no-csv-safe)
      -o, --output FILE          Write the rows to FILE; .csv and .tsv set the format. They stand in
                                 FILE.part until the command ends or is interrupted, and take FILE's
                                 place then; when it is refused, FILE stays as it was
          --ordered              Print rows in the order of the input (undone by --no-ordered)
          --ledger FILE          Also keep jobs and rows in FILE: after an interruption the same command
                                 goes on, and no link that was done is fetched again
          --progress WHEN        Progress on standard error; auto means on a terminal (auto, always,
                                 never; default auto)
          --quiet                No progress line, no summary (undone by --no-quiet)
          --log-level LEVEL      What to tell on standard error besides (debug, info, warning, error;
                                 default warning)
          --log-format FORMAT    How to write the log: as text, as JSON of one object a line, or as text
                                 for systemd's journal (text, json, journal; default journal where
                                 standard error leads there, else text)

    Fleet
          --fleet ADDRESS        Let this fleet do the work instead of this process: its run directory,
                                 or ipc://PATH, or tcp://HOST:PORT
          --wait TIME            How long to wait for the fleet's answer, or, without a terminal, for a
                                 --ledger whose disk is full (default 5s, and 5m from a fleet that has
                                 answered and for a ledger)
          --bind ADDRESS         Where to be reached, such as tcp://10.0.0.7:0; not needed on the
                                 fleet's own machine
          --key FILE             Encrypt TCP with the keys in FILE, which 'halyard keys' makes
          --allow-keys FILE      Take messages from the holders of these public keys, one a line; else
                                 of the own one
          --insecure-transport   Use TCP without keys: everybody who reaches it, on this machine too,
                                 can read and forge it

    Requests
          --oembed               Also ask the oEmbed endpoint that a page names, for card.embed and what
                                 its card lacks; the page counts without it too, and card.embed_error
                                 says what was wrong with it (undone by --no-oembed)
          --header TEXT          Say 'Name: value' to the link's own site, and not to those it redirects
                                 to; may be given again
          --cookie TEXT          Likewise a cookie, name=value; may be given again

    Limits and politeness
          --concurrency N        Transfers at a time (default 256)
          --per-host N           Transfers at a time with one host, wherever links lead (default 8)
          --host-delay TIME      Pause between two transfers with one host (default 0)
          --max-hops N           Redirects to follow for one link (default 20)
          --timeout TIME         Time for one attempt, redirects included; a slow first byte may take
                                 10s of it, all of it above the default (default 30s)
          --deadline TIME        Time for one job, all its attempts and pauses included (default none)
          --max-body SIZE        Bytes to read of a page once decompressed, 12MiB at most; what follows
                                 is ignored (default 1MiB)
          --retries N            Further attempts after a failure that may pass (default 3)
          --retry-budget SHARE   Retries in all, as a share of the jobs; 100 more are always free
                                 (default 20%)
          --give-up N|never      How often in a row a host cannot be reached until it is given up: its
                                 jobs fail at once for ten minutes; 'never' tries them all. An answer
                                 such as 503 reaches it (default 15)
          --user-agent TEXT      How to introduce ourselves to servers (default halyard/0.1.0)
          --allow-address CIDR   Also talk to these addresses, such as 10.0.0.0/8, 127.0.0.1:8080 or
                                 [::1]:8080, or to those that @FILE lists, one a line; may be given
                                 again. Private, loopback and other special addresses are refused
                                 otherwise
          --respect-robots       Ask each site's robots.txt first, at every hop, and fetch nothing that
                                 it refuses to the name in --user-agent (undone by --no-respect-robots)
          --proxy URL            Fetch through this proxy: http://HOST:PORT, https://… or socks5h://…,
                                 with USER:PASSWORD@ if it wants them. A link's name is looked up on
                                 this machine first, with socks5h too, and a name that is unknown here
                                 is not asked of the proxy. http_proxy and the like are ignored
          --cacert FILE          Trust the authorities in this PEM file, and no others
          --insecure             Accept any certificate, without knowing who answers (undone by
                                 --no-insecure)
          --http1                Speak HTTP/1.1 only, also where a server offers HTTP/2 (undone by
                                 --no-http1)
          --cache TIME           Fetch no link again that was fetched less than TIME ago: its row has
                                 the findings of then (default none)
          --cache-failures TIME  Likewise links that failed for good, or answered with 4xx or 5xx
                                 (default a tenth of --cache)
          --cache-file FILE      Keep findings in FILE; else they are in the --ledger, or in
                                 ~/.cache/halyard/results.db

    General
          --config FILE          Take settings from FILE alone; else from the user's and the system's,
                                 see 'halyard config --help'
      -h, --help                 Show this help

    Examples
      halyard title https://example.org/                               one page
      halyard title --input links.txt --fields input,title,card.image  chosen members
      zcat links.gz | halyard title - --ordered > rows.jsonl           standard input, in order

    Without --fields, jsonl has the whole row, and csv and tsv have
    input,status,url,http_status,title,error.kind.
    Many options have variables for their defaults: HALYARD_OEMBED for --oembed, and so on.
    TIME is 500ms, 30s, 2m or 1h; a bare number counts seconds.
    SIZE is a number of bytes, or 64K, 8MiB, 1G; K, M and G count in 1024.

    """#
}
