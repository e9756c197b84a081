package import Pipeline

/// What all workers of a fleet have to be: of the aggregator's version, with one set of options. A fetcher with others
/// makes other rows of the same links, and one that only fails does so fast and wins the most jobs. A pure value.
package struct FleetRule: Sendable {
  private let version: String
  /// The options that the aggregator was given; nil when the first fetcher decides.
  private let told: [FindingOption]?
  /// The options of the fetcher that decided.
  private var first: [FindingOption]?

  /// - Parameters:
  ///   - version: What all workers must be of; empty to allow any.
  ///   - options: Those that change results; nil to take those of the first fetcher.
  package init(version: String, options: [FindingOption]? = nil) {
    (self.version, told) = (version, options)
  }

  /// How a worker differs from its fleet; nil when it belongs to it.
  ///
  /// - Parameter isAlone: No other fetcher here belongs to the fleet. Then this one decides what the fleet is.
  package mutating func difference(of hello: Hello, isAlone: Bool) -> String? {
    guard !version.isEmpty else { return nil }
    guard let program = hello.program else {
      return "it is older than \(version), and says nothing of itself"
    }
    if program.wire != EnvelopeCodec.version {
      return
        "it writes frames of version \(Self.text(program.wire)), and not \(Self.text(EnvelopeCodec.version))"
    }
    if program.version != version { return "it is version \(program.version.printed), and not \(version)" }
    guard hello.role == .fetcher else { return nil }
    let own = program.options ?? []
    guard let wanted = told ?? (isAlone ? nil : first) else {
      first = own
      return nil
    }
    return Self.difference(of: own, from: wanted)
  }

  private static func difference(of own: [FindingOption], from wanted: [FindingOption]) -> String? {
    guard own != wanted else { return nil }
    let differing = Set(own).symmetricDifference(wanted).map(\.name)
    let names = Set(differing).sorted().map { "--\($0.printed)" }
    return "its \(names.joined(separator: ", ")) \(names.count == 1 ? "is" : "are") not the fleet's"
  }

  private static func text(_ version: UInt16) -> String { "\(version >> 8).\(version & 0xFF)" }
}

extension String {
  /// What a stranger says of itself, fit for a log and a report.
  package var printed: String {
    String(String.UnicodeScalarView(unicodeScalars.filter { (0x20...0x7E).contains($0.value) }))
  }
}
