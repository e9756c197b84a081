/// The help pages of the commands that talk to a fleet.
extension HelpGolden {
  static let submit = #"""
    usage: halyard submit [OPTION…] [URL…]

    Hands jobs to a fleet as fast as it takes them, and prints their batch's id as soon as all of them
    are safe in the fleet's ledger. To submit the same input again under the same --batch or --name
    changes nothing.

    Links are arguments, or come from --input: one per line, in a CSV column, or as JSONL jobs
    {"url":…,"kind":…,"ref":…} where only url is needed and ref comes back in the row; a title may have
    its own oembed, a decode its own select, require and unwrap.

    Input
          --input FILE           Read links from FILE, gzip or not; '-' is standard input
          --input-format FORMAT  How the input is written (auto, lines, csv, jsonl; default auto)
          --column NAME          CSV column of the links; not needed when there is one column, or one
                                 named url, link or href
          --keep NAME,…          CSV columns to carry along into each row, as kept.NAME
          --kind KIND            What to do with the links that do not say it themselves (unfurl, title,
                                 decode, echo; default title)
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
          --batch ID             Submit under this id; what the fleet has of it already is not done
                                 again
          --name TEXT            Submit under an id made from TEXT, the same each time

    Output
          --json                 Print JSON, one object a line
          --progress WHEN        Progress on standard error; auto means on a terminal (auto, always,
                                 never; default auto)
          --quiet                No progress line, no summary (undone by --no-quiet)
          --log-level LEVEL      What to tell on standard error besides (debug, info, warning, error;
                                 default warning)
          --log-format FORMAT    How to write the log: as text, as JSON of one object a line, or as text
                                 for systemd's journal (text, json, journal; default journal where
                                 standard error leads there, else text)

    Fleet
          --fleet ADDRESS        The fleet to talk to: its run directory, or ipc://PATH, or
                                 tcp://HOST:PORT; else the one that scripts/fleet starts
          --wait TIME            How long to wait for the fleet's answer (default 5s, and 5m from a
                                 fleet that has answered)
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

    Limits and politeness
          --deadline TIME        Time for one job, all its attempts and pauses included (default none)

    General
          --config FILE          Take settings from FILE alone; else from the user's and the system's,
                                 see 'halyard config --help'
      -h, --help                 Show this help

    Examples
      halyard submit --input links.txt                                           titles of a file of
                                                                                 links
      halyard submit --kind unfurl --name monday --input links.csv --column url  the same batch, however
                                                                                 often it is submitted

    Many options have variables for their defaults: HALYARD_OEMBED for --oembed, and so on.
    TIME is 500ms, 30s, 2m or 1h; a bare number counts seconds.

    """#

  static let results = #"""
    usage: halyard results [OPTION…] BATCH

    Prints the rows that a batch has so far; with --follow also those to come, until it is complete.
    Rows stay in the fleet's ledger and can be printed again. A batch is named by its id, or by the name
    under which it was submitted. Exits with 1 when a job failed or was cancelled, or when the batch was
    abandoned by its producer.

    Output
          --follow              Go on until the batch is complete
          --ordered             Print rows in the order of the input (undone by --no-ordered)
          --format FORMAT       How to print rows (jsonl, csv, tsv, table; default table on a terminal,
                                else jsonl)
          --fields NAME,…       Members of the row to print, in this order:
                                input,url,card.image,error.kind
          --csv-safe            Begin cells of csv and tsv with ' where a spreadsheet would take them
                                for formulas (undone by --no-csv-safe)
      -o, --output FILE         Write the rows to FILE; .csv and .tsv set the format. They stand in
                                FILE.part until the command ends or is interrupted, and take FILE's
                                place then; when it is refused, FILE stays as it was
          --json                Print JSON, one object a line
          --progress WHEN       Progress on standard error; auto means on a terminal (auto, always,
                                never; default auto)
          --quiet               No progress line, no summary (undone by --no-quiet)
          --log-level LEVEL     What to tell on standard error besides (debug, info, warning, error;
                                default warning)
          --log-format FORMAT   How to write the log: as text, as JSON of one object a line, or as text
                                for systemd's journal (text, json, journal; default journal where
                                standard error leads there, else text)

    Fleet
          --fleet ADDRESS       The fleet to talk to: its run directory, or ipc://PATH, or
                                tcp://HOST:PORT; else the one that scripts/fleet starts
          --wait TIME           How long to wait for the fleet's answer (default 5s, and 5m from a fleet
                                that has answered)
          --bind ADDRESS        Where to be reached, such as tcp://10.0.0.7:0; not needed on the fleet's
                                own machine
          --key FILE            Encrypt TCP with the keys in FILE, which 'halyard keys' makes
          --allow-keys FILE     Take messages from the holders of these public keys, one a line; else of
                                the own one
          --insecure-transport  Use TCP without keys: everybody who reaches it, on this machine too, can
                                read and forge it

    General
          --config FILE         Take settings from FILE alone; else from the user's and the system's,
                                see 'halyard config --help'
      -h, --help                Show this help

    Examples
      halyard results monday --follow                                             until it is complete
      halyard results 0198c0de-0000-7000-8000-000000000000 --ordered -o rows.csv  what there is, in
                                                                                  order, as a file

    Without --fields, jsonl has the whole row, and csv and tsv have
    input,status,url,http_status,title,error.kind.
    Many options have variables for their defaults: HALYARD_ORDERED for --ordered, and so on.
    TIME is 500ms, 30s, 2m or 1h; a bare number counts seconds.

    """#

  static let watch = #"""
    usage: halyard watch [OPTION…] [BATCH]

    Shows workers, jobs and batches of a fleet, again and again, until it is interrupted; or how far one
    batch is, until it is complete.

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
          --wait TIME           How long to wait for the fleet's answer (default 5s, and 5m from a fleet
                                that has answered)
          --bind ADDRESS        Where to be reached, such as tcp://10.0.0.7:0; not needed on the fleet's
                                own machine
          --key FILE            Encrypt TCP with the keys in FILE, which 'halyard keys' makes
          --allow-keys FILE     Take messages from the holders of these public keys, one a line; else of
                                the own one
          --insecure-transport  Use TCP without keys: everybody who reaches it, on this machine too, can
                                read and forge it

    General
          --every TIME          Time between two updates (default 1s)
          --updates N           End after so many; 0 goes on for ever (default 0)
          --config FILE         Take settings from FILE alone; else from the user's and the system's,
                                see 'halyard config --help'
      -h, --help                Show this help

    Examples
      halyard watch                     on a terminal
      halyard watch monday              the batch of this name, or id
      halyard watch --json --every 10s  a line every ten seconds

    Many options have variables for their defaults: HALYARD_FLEET for --fleet, and so on.
    TIME is 500ms, 30s, 2m or 1h; a bare number counts seconds.

    """#

  static let status = #"""
    usage: halyard status [OPTION…]

    Tells whether a fleet is well, who works in it, how many jobs are in which state, and how far its
    newest batches are. Exits with 0 when it is well, with 1 when it is not.

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
          --reachable           Exit with 0 whenever the aggregator answers, also when the fleet is not
                                well
          --config FILE         Take settings from FILE alone; else from the user's and the system's,
                                see 'halyard config --help'
      -h, --help                Show this help

    Examples
      halyard status              for people
      halyard status --json       for programs
      halyard status --reachable  for the probes of a container

    Many options have variables for their defaults: HALYARD_FLEET for --fleet, and so on.
    TIME is 500ms, 30s, 2m or 1h; a bare number counts seconds.

    """#

  static let cancel = #"""
    usage: halyard cancel [OPTION…] BATCH

    Ends every job of a batch that is not over, and those still to be submitted to it. Each gets its
    row, which says why, and stays cancelled: submit it under another name. Requeue the batch to let in
    what is submitted to it later.

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
          --cause TEXT          Why, for the rows of its jobs (default cancelled by its user)
          --config FILE         Take settings from FILE alone; else from the user's and the system's,
                                see 'halyard config --help'
      -h, --help                Show this help

    Examples
      halyard cancel monday  all that is left of it

    Many options have variables for their defaults: HALYARD_FLEET for --fleet, and so on.
    TIME is 500ms, 30s, 2m or 1h; a bare number counts seconds.

    """#

  static let requeue = #"""
    usage: halyard requeue [OPTION…] BATCH

    Tries every failed job of a batch once more, from the start. Its row goes, and it will get a new
    one. Jobs that were cancelled stay cancelled: submit them under another name.

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
          --config FILE         Take settings from FILE alone; else from the user's and the system's,
                                see 'halyard config --help'
      -h, --help                Show this help

    Examples
      halyard requeue monday  all that failed

    Many options have variables for their defaults: HALYARD_FLEET for --fleet, and so on.
    TIME is 500ms, 30s, 2m or 1h; a bare number counts seconds.

    """#
}
