/// The help of the commands that take no lists.
extension HelpGolden {
  static let explain = #"""
    usage: halyard explain [OPTION…] URL

    Does what 'halyard title' does with one link, and tells each exchange: address, times, the headers
    that mattered, the rule that led on or ended it, and what came of it. Values of cookies are not
    shown.

    Output
          --json                Print JSON, one object a line

    Requests
          --header TEXT         Say 'Name: value' to the link's own site, and not to those it redirects
                                to; may be given again
          --cookie TEXT         Likewise a cookie, name=value; may be given again

    Limits and politeness
          --max-hops N          Redirects to follow for one link (default 20)
          --timeout TIME        Time for one attempt, redirects included; a slow first byte may take 10s
                                of it, all of it above the default (default 30s)
          --max-body SIZE       Bytes to read of a page once decompressed; what follows is ignored
                                (default 1MiB)
          --user-agent TEXT     How to introduce ourselves to servers (default halyard/0.1.0)
          --allow-address CIDR  Also talk to these addresses, such as 127.0.0.0/8; may be given again.
                                Private, loopback and other special addresses are refused otherwise

    General
      -h, --help                Show this help

    Examples
      halyard explain https://bit.ly/3xyz         for people
      halyard explain --json https://bit.ly/3xyz  one JSON object

    Many options have variables for their defaults: HALYARD_MAX_HOPS for --max-hops, and so on.
    TIME is 500ms, 30s, 2m or 1h; a bare number counts seconds.
    SIZE is a number of bytes, or 64K, 8MiB, 1G; K, M and G count in 1024.

    """#

  static let demo = #"""
    usage: halyard demo [OPTION…]

    Starts a small web site on this machine's loopback address, sends jobs of every kind through it, and
    prints what becomes of them: redirects, pages, JSON, and typed failures. Nothing is tried twice.
    Exits with 0 when every link ended as it should, be it well or with its failure.

    Output
          --format FORMAT  How to print rows (jsonl, csv, tsv, table; default table)
          --fields NAME,…  Members of the row to print, in this order: input,url,card.image,error.kind

    General
      -h, --help           Show this help

    Examples
      halyard demo                 a table
      halyard demo --format jsonl  the rows in full

    Without --fields, jsonl has the whole row, and csv and tsv have
    kept.link,title,kept.shows,status,http_status,error.kind.
    Many options have variables for their defaults: HALYARD_FORMAT for --format, and so on.

    """#

  static let help = #"""
    usage: halyard help [OPTION…] [COMMAND]

    Shows what halyard can do, or the options of one command.

    General
      -h, --help  Show this help

    Examples
      halyard help title  the options of title

    """#
}
