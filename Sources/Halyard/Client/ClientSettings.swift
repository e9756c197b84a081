/// What a client that does the work itself may use of the network, and for how long.
public struct ClientSettings: Hashable, Sendable {
  /// Transfers at a time, 1 to 10,000.
  public var concurrency = 256
  /// Threads that fetch and decode, 1 to 256; they share the transfers. nil for one for each processor.
  public var threads: Int?
  /// Transfers at a time with one host, wherever links lead.
  public var perHost = 8
  /// The pause between two transfers with one host.
  public var hostDelay: Duration = .zero
  /// Redirects to follow for one link.
  public var maxHops = 20
  /// The time for one attempt, redirects included.
  public var timeout: Duration = .seconds(30)
  /// The time for one call, all its attempts and pauses included; nil for any.
  public var deadline: Duration?
  /// Calls that can be unanswered at a time, 1 to 10,000,000. Further ones fail at once, with an error that is retryable.
  public var maxCalls = 200_000
  /// Further attempts after a failure that may pass.
  public var retries = 3
  /// Failures in a row to reach a host until its calls fail at once for ten minutes, at least 1; nil for never.
  public var givesUpAfter: Int? = 15
  /// The User-Agent header of all requests. Without line ends and other control characters.
  public var userAgent = "halyard"
  /// Addresses to talk to besides public ones, such as `127.0.0.0/8`, or `127.0.0.1:8080` and `[::1]:8080` for one port
  /// alone: private, loopback and other special addresses are refused otherwise.
  public var allowedAddresses: [String] = []
  /// Headers such as `Authorization` or `Cookie`, for the link's own site: they are dropped where a redirect leaves it.
  public var headers: [String: String] = [:]
  /// Bytes to read of a page once decompressed, 1 KiB to 12 MiB; what follows is ignored.
  public var largestPage = 1 << 20
  /// Bytes a JSON document may have once decompressed, 1 KiB to 12 MiB; a larger one is ``HalyardError/Kind/bodyTooLarge``.
  public var largestDocument = 8 << 20
  /// Answers to keep in memory for later calls with the same link; nil for none.
  public var cache: Cache?
  /// Asks each site's robots.txt first, as `halyard --respect-robots` does.
  public var obeysRobots = false
  /// A proxy for everything: `http://`, `https://` or `socks5h://`. None is taken from the environment.
  public var proxy: String?
  /// A PEM file of certificates to trust instead of the system's.
  public var authorities: String?

  /// The defaults.
  public init() {}
}

extension ClientSettings {
  /// Answers that a client keeps as long as it lives, and how long they are as good as new ones.
  ///
  /// What depends on the moment or on who asks is not kept: failures that may pass, answers to calls with headers of their
  /// own, links with a password, and rows above 256 KiB. When an answer is too old, the server is asked whether it has changed.
  public struct Cache: Hashable, Sendable {
    /// How long an answer is good, up to 30 days.
    public var answers: Duration
    /// How long a lasting failure is, up to 30 days.
    public var failures: Duration
    /// What all answers may take; the oldest go first. There are at most 100,000.
    public var mostBytes = 64 << 20

    /// - Parameter failures: Nil for a tenth of the time for answers.
    public init(answers: Duration, failures: Duration? = nil) {
      self.answers = answers
      self.failures = failures ?? max(answers / 10, .milliseconds(1))
    }
  }
}

/// How a client reaches a fleet, which does the work as it was told when it was started.
public struct FleetSettings: Hashable, Sendable {
  /// How long the fleet may say nothing at all before its calls fail.
  public var timeout: Duration = .seconds(10)
  /// The time for one call, all its attempts and pauses included; nil for any.
  public var deadline: Duration?
  /// Calls that can be unanswered at a time, 1 to 10,000,000. Further ones fail at once, with an error that is retryable.
  public var maxCalls = 200_000
  /// Where this process takes answers from a fleet on another machine, such as `tcp://10.0.0.7:0`; nil for a fleet on
  /// this one.
  public var answersAt: String?
  /// Lets lanes leave this machine: without keys anyone on the way can read and forge everything.
  public var allowsInsecure = false

  /// The defaults.
  public init() {}
}

extension Duration {
  /// Whole milliseconds, as many as fit.
  var wholeMilliseconds: Int64 {
    let (seconds, rest) = (components.seconds, components.attoseconds / 1_000_000_000_000_000)
    let (product, isTooLong) = seconds.multipliedReportingOverflow(by: 1_000)
    let (sum, isStillTooLong) = product.addingReportingOverflow(rest)
    return isTooLong || isStillTooLong ? (seconds < 0 ? .min : .max) : sum
  }
}
