/// The help of the commands that take no lists, and of `decode`.
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
          --oembed              Also ask the oEmbed endpoint that a page names, for card.embed and what
                                its card lacks; the page counts without it too, and card.embed_error
                                says what was wrong with it (undone by --no-oembed)

    Limits and politeness
          --max-hops N          Redirects to follow for one link (default 20)
          --timeout TIME        Time for one attempt, redirects included; a slow first byte may take 10s
                                of it, all of it above the default (default 30s)
          --max-body SIZE       Bytes to read of a page once decompressed, 12MiB at most; what follows
                                is ignored (default 1MiB)
          --user-agent TEXT     How to introduce ourselves to servers (default halyard/0.1.0)
          --allow-address CIDR  Also talk to these addresses, such as 10.0.0.0/8, 127.0.0.1:8080 or
                                [::1]:8080, or to those that @FILE lists, one a line; may be given
                                again. Private, loopback and other special addresses are refused
                                otherwise
          --respect-robots      Ask each site's robots.txt first, at every hop, and fetch nothing that
                                it refuses to the name in --user-agent (undone by --no-respect-robots)
          --proxy URL           Fetch through this proxy: http://HOST:PORT, https://… or socks5h://…,
                                with USER:PASSWORD@ if it wants them. A link's name is looked up on this
                                machine first, with socks5h too, and a name that is unknown here is not
                                asked of the proxy. http_proxy and the like are ignored
          --cacert FILE         Trust the authorities in this PEM file, and no others
          --insecure            Accept any certificate, without knowing who answers (undone by
                                --no-insecure)
          --http1               Speak HTTP/1.1 only, also where a server offers HTTP/2 (undone by
                                --no-http1)

    General
          --config FILE         Take settings from FILE alone; else from the user's and the system's,
                                see 'halyard config --help'
      -h, --help                Show this help

    Examples
      halyard explain https://bit.ly/3xyz                   for people
      halyard explain --oembed https://video.example.org/7  the page and its oEmbed endpoint
      halyard explain --json https://bit.ly/3xyz            one JSON object

    Many options have variables for their defaults: HALYARD_OEMBED for --oembed, and so on.
    TIME is 500ms, 30s, 2m or 1h; a bare number counts seconds.
    SIZE is a number of bytes, or 64K, 8MiB, 1G; K, M and G count in 1024.

    """#

  static let run = #"""
    usage: halyard run [OPTION…] RECIPE

    A recipe is a JSON file of parameters, sections and steps; its form is described in the
    documentation. RECIPE is the path of one, or the name of one that is built in: users or feeds.

    Every call is a job of its own: fetched, tried again, and kept like those of decode. What was
    gathered is printed as JSON. When a step fails, what waits for it is not done, and what is under way
    for it is ended; the message says which step and why, and the exit status is 1.

    --check tells everything that is wrong with it, each with its line and column, and exits with 65;
    --show prints it. Neither calls a server.

    Input
          --param NAME=VALUE    What the recipe is told; checked against its parameters; may be given
                                again

    Output
      -o, --output FILE         Write it to FILE, which stays as it was until all is there
          --html FILE           Write a page of what was gathered into this file as well: sections as
                                grids, with their pictures
          --row                 Print the run's whole row, with how each step ended
          --ledger FILE         Also keep jobs and rows in FILE: after an interruption the same command
                                goes on, and no link that was done is fetched again
          --progress WHEN       Progress on standard error; auto means on a terminal (auto, always,
                                never; default auto)
          --quiet               No progress line, no summary (undone by --no-quiet)
          --log-level LEVEL     What to tell on standard error besides (debug, info, warning, error;
                                default warning)
          --log-format FORMAT   How to write the log: as text, as JSON of one object a line, or as text
                                for systemd's journal (text, json, journal; default journal where
                                standard error leads there, else text)

    Fleet
          --fleet ADDRESS       Let this fleet do the work instead of this process: its run directory,
                                or ipc://PATH, or tcp://HOST:PORT
          --wait TIME           How long to wait for the fleet's answer, or, without a terminal, for a
                                --ledger whose disk is full (default 5s, and 5m from a fleet that has
                                answered and for a ledger)
          --bind ADDRESS        Where to be reached, such as tcp://10.0.0.7:0; not needed on the fleet's
                                own machine
          --key FILE            Encrypt TCP with the keys in FILE, which 'halyard keys' makes
          --allow-keys FILE     Take messages from the holders of these public keys, one a line; else of
                                the own one
          --insecure-transport  Use TCP without keys: everybody who reaches it, on this machine too, can
                                read and forge it

    Requests
          --header TEXT         Say 'Name: value' to the link's own site, and not to those it redirects
                                to; may be given again
          --cookie TEXT         Likewise a cookie, name=value; may be given again

    Limits and politeness
          --concurrency N       Transfers at a time (default 256)
          --per-host N          Transfers at a time with one host, wherever links lead (default 8)
          --host-delay TIME     Pause between two transfers with one host (default 0)
          --max-hops N          Redirects to follow for one link (default 20)
          --timeout TIME        Time for one attempt, redirects included; a slow first byte may take 10s
                                of it, all of it above the default (default 30s)
          --deadline TIME       Time for the whole run, with all its calls (default none)
          --max-body SIZE       Bytes a document may have once decompressed, 12MiB at most; a larger one
                                is a failure (default 8MiB)
          --retries N           Further attempts after a failure that may pass (default 3)
          --retry-budget SHARE  Retries in all, as a share of the jobs; 100 more are always free
                                (default 20%)
          --give-up N|never     How often in a row a host cannot be reached until it is given up: its
                                jobs fail at once for ten minutes; 'never' tries them all. An answer
                                such as 503 reaches it (default 15)
          --user-agent TEXT     How to introduce ourselves to servers (default halyard/0.1.0)
          --allow-address CIDR  Also talk to these addresses, such as 10.0.0.0/8, 127.0.0.1:8080 or
                                [::1]:8080, or to those that @FILE lists, one a line; may be given
                                again. Private, loopback and other special addresses are refused
                                otherwise
          --respect-robots      Ask each site's robots.txt first, at every hop, and fetch nothing that
                                it refuses to the name in --user-agent (undone by --no-respect-robots)
          --proxy URL           Fetch through this proxy: http://HOST:PORT, https://… or socks5h://…,
                                with USER:PASSWORD@ if it wants them. A link's name is looked up on this
                                machine first, with socks5h too, and a name that is unknown here is not
                                asked of the proxy. http_proxy and the like are ignored
          --cacert FILE         Trust the authorities in this PEM file, and no others
          --insecure            Accept any certificate, without knowing who answers (undone by
                                --no-insecure)
          --http1               Speak HTTP/1.1 only, also where a server offers HTTP/2 (undone by
                                --no-http1)

    General
          --check               Check the recipe without calling a server
          --show                Print the recipe as it is written
          --config FILE         Take settings from FILE alone; else from the user's and the system's,
                                see 'halyard config --help'
      -h, --help                Show this help

    Examples
      halyard run users --param base=https://api.example.org  every user, details and all
      halyard run --show users                                a recipe to begin with
      halyard run --check mine.json                           is it sound?
      halyard run --check users --param details=no            does it have this parameter?

    Many options have variables for their defaults: HALYARD_PROGRESS for --progress, and so on.
    TIME is 500ms, 30s, 2m or 1h; a bare number counts seconds.
    SIZE is a number of bytes, or 64K, 8MiB, 1G; K, M and G count in 1024.

    """#

  static let demo = #"""
    usage: halyard demo [OPTION…]

    Starts a small web site on this machine's loopback address, sends jobs of every kind through it, and
    prints what becomes of them: redirects, pages, JSON, and typed failures. Nothing is tried twice.
    Exits with 0 when every link ended as it should, be it well or with its failure.

    With --serve it only serves the site, until it is interrupted, and prints its address: something to
    try other commands on.

    Output
          --format FORMAT  How to print rows (jsonl, csv, tsv, table; default table)
          --fields NAME,…  Members of the row to print, in this order: input,url,card.image,error.kind

    General
          --serve          Only serve the site, until interrupted; prints its address
          --port N         The port of 127.0.0.1 to serve on; 0 means one that is free (default 0)
          --config FILE    Take settings from FILE alone; else from the user's and the system's, see
                           'halyard config --help'
      -h, --help           Show this help

    Examples
      halyard demo                      a table
      halyard demo --format jsonl       the rows in full
      halyard demo --serve --port 8600  the site alone, for other commands

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

  static let decode = #"""
    usage: halyard decode [OPTION…] [URL…]

    Follows each link, parses the JSON document behind it, and prints it, or the part that --select
    names, as the row's value. One row per link.

    A stream of JSON, as lines (application/x-ndjson and the like, or a name that ends in .jsonl or
    .ndjson) or as a sequence (application/json-seq), is an array of its texts. A broken line is a
    failure, a broken text of a sequence is passed over with a warning in the row.

    Links are arguments, or come from --input: one per line, in a CSV column, or as JSONL jobs
    {"url":…,"kind":…,"ref":…} where only url is needed and ref comes back in the row; a title may have
    its own oembed, a decode its own select, require and unwrap.

    Input
          --input FILE           Read links from FILE, gzip or not; '-' is standard input
          --input-format FORMAT  How the input is written (auto, lines, csv, jsonl; default auto)
          --column NAME          CSV column of the links; not needed when there is one column, or one
                                 named url, link or href
          --keep NAME,…          CSV columns to carry along into each row, as kept.NAME
          --select WHAT          The part of the document to print: a JSON Pointer (RFC 6901) such as
                                 /items/0, or a JSONPath query (RFC 9535) such as
                                 '$.items[?@.price<10].name', which yields an array of what it finds,
                                 perhaps an empty one; one of names and indexes alone, such as
                                 '$.items[0]', yields the value itself. Else all of it
          --require PATH:TYPE    Fail unless PATH, a JSON Pointer or a JSONPath query of the whole
                                 document, finds something and all of it is of TYPE: object, array,
                                 string, number, integer, boolean, null or any, or several such as
                                 'string|null'. With a '?' at the end it may find nothing; may be given
                                 again
          --unwrap               Also take JSON inside a script: behind )]}' or for(;;); and the like,
                                 or as the argument of a call (JSONP)

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
          --max-body SIZE        Bytes a document may have once decompressed, 12MiB at most; a larger
                                 one is a failure (default 8MiB)
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
      halyard decode https://api.example.org/items                         the whole document
      halyard decode --select /items/0/name https://api.example.org/items  one part of it
      halyard decode --select '$..name' https://api.example.org/items      an array of parts
      halyard decode --require /items:array https://api.example.org/items  fails unless it is an array
      halyard decode --input jobs.jsonl --format tsv                       jobs with their own select

    Without --fields, jsonl has the whole row, and csv and tsv have
    input,status,url,http_status,value,error.kind.
    Many options have variables for their defaults: HALYARD_FORMAT for --format, and so on.
    TIME is 500ms, 30s, 2m or 1h; a bare number counts seconds.
    SIZE is a number of bytes, or 64K, 8MiB, 1G; K, M and G count in 1024.

    """#
}
