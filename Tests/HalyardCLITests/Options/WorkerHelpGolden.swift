/// The help pages of the commands that a fleet is made of.
extension HelpGolden {
  static let up = #"""
    usage: halyard up [OPTION…] [-- WORKER OPTION…]

    Starts each worker as a process of its own and starts again what dies. Ctrl-C and SIGTERM end the
    fleet: what is under way is finished first; a second one ends it at once. What stands behind '--'
    goes to every worker that has such an option.

    scripts/fleet start does the same in the background.

    Output
          --log-format FORMAT   How to write the log: as text, as JSON of one object a line, or as text
                                for systemd's journal (text, json, journal; default journal where
                                standard error leads there, else text)

    Fleet
          --fetchers N          How many fetchers (default 1)
          --decoders N          How many decoders (default 1)
          --run-dir DIR         Where the fleet's sockets are, made if need be; else in $XDG_RUNTIME_DIR
                                or /tmp
          --listen ADDRESS      Where the fleet is reached instead of ipc://DIR/aggregator: ipc://PATH
                                or tcp://HOST:PORT
          --ledger FILE         Keep jobs and rows in FILE instead of DIR/ledger.db
          --key FILE            Encrypt TCP with the keys in FILE, which 'halyard keys' makes
          --allow-keys FILE     Take messages from the holders of these public keys, one a line; else of
                                the own one
          --insecure-transport  Use TCP without keys: everybody who reaches it, on this machine too, can
                                read and forge it
          --check               Make the run directory, check that only this user can change it, and
                                start nothing

    General
          --config FILE         Take settings from FILE alone; else from the user's and the system's,
                                see 'halyard config --help'
      -h, --help                Show this help

    Examples
      halyard up --fetchers 2 --decoders 2                                    five processes
      halyard up --ledger jobs.db -- --allow-address 10.0.0.0/8 --per-host 4  with options for its
                                                                              workers

    Many options have variables for their defaults: HALYARD_RUN_DIR for --run-dir, and so on.

    """#

  static let aggregator = #"""
    usage: halyard aggregator [OPTION…]

    Takes jobs, keeps them in a ledger, gives them to fetchers, and serves their rows. A fleet has one.

    Workers of another version get nothing to do, nor do fetchers with other options of those that
    change what is found: given here, they say what the fetchers must have been given; else the first
    fetcher decides. 'halyard status' names such workers.

    Output
          --log-level LEVEL      What to tell on standard error besides (debug, info, warning, error;
                                 default warning)
          --log-format FORMAT    How to write the log: as text, as JSON of one object a line, or as text
                                 for systemd's journal (text, json, journal; default journal where
                                 standard error leads there, else text)

    Fleet
          --listen ADDRESS       Where the fleet is reached instead of ipc://DIR/aggregator: ipc://PATH
                                 or tcp://HOST:PORT
          --ledger FILE          Keep jobs and rows in FILE instead of DIR/ledger.db
          --run-dir DIR          Where the fleet's sockets are, made if need be; else in
                                 $XDG_RUNTIME_DIR or /tmp
          --key FILE             Encrypt TCP with the keys in FILE, which 'halyard keys' makes
          --allow-keys FILE      Take messages from the holders of these public keys, one a line; else
                                 of the own one
          --insecure-transport   Use TCP without keys: everybody who reaches it, on this machine too,
                                 can read and forge it
          --until-input-ends     Stop when standard input ends, as 'up' wants of its workers

    Requests
          --method METHOD        How to ask where no page is read: head is lighter, misses refreshes in
                                 pages, and asks once more with get what refuses it (get, head; default
                                 get)
          --header TEXT          Say 'Name: value' to the link's own site, and not to those it redirects
                                 to; may be given again
          --cookie TEXT          Likewise a cookie, name=value; may be given again

    Limits and politeness
          --per-host N           Transfers at a time with one host, wherever links lead (default 8)
          --host-delay TIME      Pause between two transfers with one host (default 0)
          --retries N            Further attempts after a failure that may pass (default 3)
          --retry-budget SHARE   Retries in all, as a share of the jobs; 100 more are always free
                                 (default 20%)
          --give-up N|never      How often in a row a host cannot be reached until it is given up: its
                                 jobs fail at once for ten minutes; 'never' tries them all. An answer
                                 such as 503 reaches it (default 15)
          --max-open N           Jobs that may be open at once; 'submit' waits while there are more
                                 (default 10000000)
          --keep-batches TIME    How long a batch can still be read when all of it is over (default
                                 168h)
          --abandon-after TIME   How long after its last submission a batch is closed whose producer is
                                 gone (default 10m)
          --cache TIME           Fetch no link again that was fetched less than TIME ago: its row has
                                 the findings of then (default none)
          --cache-failures TIME  Likewise links that failed for good, or answered with 4xx or 5xx
                                 (default a tenth of --cache)
          --max-hops N           Redirects to follow for one link (default 20)
          --max-body SIZE        Bytes to read of a page once decompressed, 12MiB at most; what follows
                                 is ignored (default 1MiB)
          --max-document SIZE    Bytes a JSON document may have once decompressed; a larger one is a
                                 failure (default 8MiB)
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

    General
          --config FILE          Take settings from FILE alone; else from the user's and the system's,
                                 see 'halyard config --help'
      -h, --help                 Show this help

    Examples
      halyard aggregator --run-dir /run/halyard                        for workers of this machine
      halyard aggregator --listen tcp://10.0.0.1:7700 --key fleet.key  for many machines

    Many options have variables for their defaults: HALYARD_LISTEN for --listen, and so on.
    TIME is 500ms, 30s, 2m or 1h; a bare number counts seconds.
    SIZE is a number of bytes, or 64K, 8MiB, 1G; K, M and G count in 1024.

    """#

  static let fetcher = #"""
    usage: halyard fetcher [OPTION…]

    Follows links and fetches what is behind them. A fleet has as many as it needs; they come and go at
    any time.

    Output
          --log-level LEVEL     What to tell on standard error besides (debug, info, warning, error;
                                default warning)
          --log-format FORMAT   How to write the log: as text, as JSON of one object a line, or as text
                                for systemd's journal (text, json, journal; default journal where
                                standard error leads there, else text)

    Fleet
          --fleet ADDRESS       The fleet to talk to: its run directory, or ipc://PATH, or
                                tcp://HOST:PORT; else the one that scripts/fleet starts
          --bind ADDRESS        Where to be reached, such as tcp://10.0.0.7:0; not needed on the fleet's
                                own machine
          --cell NAME           Pages go only to decoders of the same cell; else the machine's name
          --run-dir DIR         Where the fleet's sockets are, made if need be; else in $XDG_RUNTIME_DIR
                                or /tmp
          --key FILE            Encrypt TCP with the keys in FILE, which 'halyard keys' makes
          --allow-keys FILE     Take messages from the holders of these public keys, one a line; else of
                                the own one
          --insecure-transport  Use TCP without keys: everybody who reaches it, on this machine too, can
                                read and forge it
          --until-input-ends    Stop when standard input ends, as 'up' wants of its workers

    Requests
          --method METHOD       How to ask where no page is read: head is lighter, misses refreshes in
                                pages, and asks once more with get what refuses it (get, head; default
                                get)
          --header TEXT         Say 'Name: value' to the link's own site, and not to those it redirects
                                to; may be given again
          --cookie TEXT         Likewise a cookie, name=value; may be given again

    Limits and politeness
          --concurrency N       Transfers at a time (default 256)
          --max-hops N          Redirects to follow for one link (default 20)
          --timeout TIME        Time for one attempt, redirects included; a slow first byte may take 10s
                                of it, all of it above the default (default 30s)
          --max-body SIZE       Bytes to read of a page once decompressed, 12MiB at most; what follows
                                is ignored (default 1MiB)
          --max-document SIZE   Bytes a JSON document may have once decompressed; a larger one is a
                                failure (default 8MiB)
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
      halyard fetcher --run-dir /run/halyard                                               locally
      halyard fetcher --fleet tcp://10.0.0.1:7700 --bind tcp://10.0.0.7:0 --key fleet.key  elsewhere

    Many options have variables for their defaults: HALYARD_FLEET for --fleet, and so on.
    TIME is 500ms, 30s, 2m or 1h; a bare number counts seconds.
    SIZE is a number of bytes, or 64K, 8MiB, 1G; K, M and G count in 1024.

    """#

  static let decoder = #"""
    usage: halyard decoder [OPTION…]

    Reads pages and documents. Each cell of a fleet needs one; they come and go at any time.

    The kernel's sandbox keeps it from opening files and connections and from starting programs. It
    therefore cannot read its settings again after a SIGHUP: restart it instead. 'up' does so by itself.

    Output
          --log-level LEVEL     What to tell on standard error besides (debug, info, warning, error;
                                default warning)
          --log-format FORMAT   How to write the log: as text, as JSON of one object a line, or as text
                                for systemd's journal (text, json, journal; default journal where
                                standard error leads there, else text)

    Fleet
          --fleet ADDRESS       The fleet to talk to: its run directory, or ipc://PATH, or
                                tcp://HOST:PORT; else the one that scripts/fleet starts
          --bind ADDRESS        Where to be reached, such as tcp://10.0.0.7:0; not needed on the fleet's
                                own machine
          --cell NAME           Pages go only to decoders of the same cell; else the machine's name
          --run-dir DIR         Where the fleet's sockets are, made if need be; else in $XDG_RUNTIME_DIR
                                or /tmp
          --key FILE            Encrypt TCP with the keys in FILE, which 'halyard keys' makes
          --allow-keys FILE     Take messages from the holders of these public keys, one a line; else of
                                the own one
          --insecure-transport  Use TCP without keys: everybody who reaches it, on this machine too, can
                                read and forge it
          --until-input-ends    Stop when standard input ends, as 'up' wants of its workers
          --no-sandbox          Run without the kernel's sandbox: a page that takes over this process
                                can then open files and connections

    General
          --config FILE         Take settings from FILE alone; else from the user's and the system's,
                                see 'halyard config --help'
      -h, --help                Show this help

    Examples
      halyard decoder --run-dir /run/halyard  for a fleet on this machine

    Many options have variables for their defaults: HALYARD_FLEET for --fleet, and so on.

    """#

  static let keys = #"""
    usage: halyard keys [OPTION…]

    Writes the key pair of a fleet and that of a member of it, and prints the member's public key, which
    belongs into the --allow-keys file of all members. With --fleet-of the fleet's pair is taken over.

    Input
          --fleet-of FILE  Make a further member of the fleet whose keys are in FILE

    Output
      -o, --output FILE    Write the keys to FILE, which must not exist yet

    General
          --config FILE    Take settings from FILE alone; else from the user's and the system's, see
                           'halyard config --help'
      -h, --help           Show this help

    Examples
      halyard keys -o fleet.key                        for a whole fleet
      halyard keys --fleet-of fleet.key -o rack-7.key  for a member that can be shut out

    Many options have variables for their defaults: HALYARD_CONFIG for --config, and so on.

    """#
}
