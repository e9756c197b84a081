import Links
import Pipeline

/// The options of `serve`.
enum ServeOption {
  static let http = Option<HTTPPlace>(
    "--http ADDRESS", .general, .variable,
    .text(
      default: .loopback,
      parsing(
        HTTPPlace.init, otherwise: "is not [HOST:]PORT, an IPv6 address in brackets, unix:PATH, or systemd")),
    "Where to serve: [HOST:]PORT, unix:PATH, or systemd for the sockets that it hands over")

  static let demo = Option<Bool>(
    "--demo", .general, .flag,
    "Also serve the demo's small site, and let previews reach it, and nothing else on this machine")

  static let hostNames = Option<[String]>(
    "--host-name NAME,…", .general, .variable, .names,
    "Names by which the service is known, beside localhost and its address; others in Host are refused")

  static let tokens = Option<String?>(
    "--token-file FILE", .general, [.variable, .reread], .file,
    "Who may ask: lines of NAME TOKEN [rate=N] [per-host=N], with requests a second and links of a host a minute;"
      + " needed where others can reach the service")

  static let origins = Option<[String]>(
    "--allow-origin ORIGIN", .general, .variable, .lines,
    "Let pages of this origin read answers, such as https://chat.example.org, or '*' for all; may be given again"
  )

  static let proxies = Option<[TrustedProxy]>(
    "--trusted-proxy CIDR", .general, .variable, .lines(parsing(TrustedProxy.init) { $0.message }),
    "Believe X-Forwarded-For of a proxy with such an address, or with 'unix' of all that reach the service over a"
      + " Unix socket; may be given again")

  static let denied = Option<[String]>(
    "--deny-host HOST", .limits, .variable, .lines,
    "Fetch nothing of HOST and of what ends in it, or of the hosts in a file as @FILE; may be given again. A"
      + " fleet is asked about no such link, but follows redirects to HOST")

  static let accessLog = Option<String?>(
    "--access-log FILE", .general, .variable, .file,
    "Write a line of JSON for each answer to FILE; '-' is standard output")

  static let cache = Option<Int64>(
    "--cache TIME", .limits, .variable,
    .integer(1_000...CacheRule.longestMilliseconds, as: .time, default: 24 * 3_600_000),
    "How long an answer is fresh; after that it is given for a week while a new one is fetched")

  static let answerFile = Option<String?>(
    "--cache-file FILE", .limits, [.variable, .fleets], .file,
    "Also keep answers in FILE, so that fresh ones outlive a restart")
}

/// Whose X-Forwarded-For is believed.
enum TrustedProxy: Hashable, Sendable {
  case range(AddressRange)
  /// All that can reach the Unix socket, which its directory and mode decide.
  case socket

  static let socketName = "unix"

  init(_ text: String) throws(LinkError) {
    self = text == Self.socketName ? .socket : .range(try AddressRange(cidr: text))
  }

  /// - Parameter peer: An address, or `socketName`.
  func isProxy(_ peer: String) -> Bool {
    switch self {
    case .range(let range): IPAddress(peer).map(range.contains) ?? false
    case .socket: peer == Self.socketName
    }
  }
}

/// Where HTTP is served.
enum HTTPPlace: Hashable, Sendable, CustomStringConvertible {
  case tcp(host: String, port: UInt16)
  case unix(path: String)
  case systemd

  static let loopback = HTTPPlace.tcp(host: "127.0.0.1", port: 7_780)

  init?(_ text: String) {
    if text == "systemd" {
      self = .systemd
    } else if text.hasPrefix("unix:") {
      let path = String(text.dropFirst("unix:".count))
      guard !path.isEmpty else { return nil }
      self = .unix(path: path)
    } else {
      guard let plan = MetricsPlan(text) else { return nil }
      self = .tcp(host: plan.host, port: plan.port)
    }
  }

  var description: String {
    switch self {
    case .tcp(let host, let port): MetricsPlan(host: host, port: port).text
    case .unix(let path): "unix:\(path)"
    case .systemd: "the sockets of systemd"
    }
  }

  /// Only programs of this machine can reach it.
  var isLocal: Bool {
    switch self {
    case .tcp(let host, _): host.hasPrefix("127.") || host == "::1"
    // Known once the sockets are there.
    case .unix, .systemd: true
    }
  }
}
