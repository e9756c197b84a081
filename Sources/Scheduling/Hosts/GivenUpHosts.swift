import Pipeline

/// How many jobs ended because their host was given up, in all and host by host. Where there are very many hosts, those
/// with the fewest jobs are forgotten one by one, and only their jobs still count. A pure value.
package struct GivenUpHosts: Hashable, Sendable {
  package struct Host: Encodable, Hashable, Sendable {
    package var name: String
    package var jobs: Int

    private enum CodingKeys: String, CodingKey {
      case name = "host"
      case jobs
    }

    package init(_ name: String, jobs: Int) {
      self.name = name
      self.jobs = jobs
    }
  }

  /// Hosts that are known at a time.
  static let mostKept = 2_000
  /// Hosts that a report names.
  static let mostNamed = 5

  /// All jobs that it cost, those of forgotten hosts too.
  package private(set) var jobs = 0
  private var jobsByHost: [String: Int] = [:]
  private var hasForgotten = false

  package init() {}

  /// The hosts that cost the most jobs, the worst first, equals by name.
  package var worst: [Host] { Array(ranked.prefix(Self.mostNamed)) }

  /// How many hosts there are besides the worst; nil when too many were there to know.
  package var others: Int? { hasForgotten ? nil : max(0, jobsByHost.count - Self.mostNamed) }

  package mutating func add(_ host: String, jobs count: Int = 1) {
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
