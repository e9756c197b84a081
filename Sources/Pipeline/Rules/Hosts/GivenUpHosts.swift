/// How many jobs ended because their host was given up, in all and host by host. Where there are very many hosts, those
/// with the fewest jobs are forgotten one by one, and only their jobs still count. A pure value.
public struct GivenUpHosts: Hashable, Sendable {
  public struct Host: Hashable, Sendable {
    public var name: String
    public var jobs: Int

    public init(_ name: String, jobs: Int) {
      self.name = name
      self.jobs = jobs
    }
  }

  /// Hosts that are known at a time.
  public static let mostKept = 2_000
  /// Hosts that a report names.
  public static let mostNamed = 5

  /// All jobs that it cost, those of forgotten hosts too.
  public private(set) var jobs = 0
  private var jobsByHost: [String: Int] = [:]
  private var hasForgotten = false

  public init() {}

  /// The hosts that cost the most jobs, the worst first, equals by name.
  public var worst: [Host] { Array(ranked.prefix(Self.mostNamed)) }

  /// How many hosts there are besides the worst; nil when too many were there to know.
  public var others: Int? { hasForgotten ? nil : max(0, jobsByHost.count - Self.mostNamed) }

  public mutating func add(_ host: String, jobs count: Int = 1) {
    guard count > 0 else { return }
    jobs += count
    jobsByHost[host, default: 0] += count
    guard jobsByHost.count > Self.mostKept else { return }
    hasForgotten = true
    // Half of them at once, so that sorting costs little for each host.
    jobsByHost = Dictionary(
      uniqueKeysWithValues: ranked.prefix(Self.mostKept / 2).map { ($0.name, $0.jobs) })
  }

  private var ranked: [Host] {
    jobsByHost.map { Host($0.key, jobs: $0.value) }.sorted { ($1.jobs, $0.name) < ($0.jobs, $1.name) }
  }
}
