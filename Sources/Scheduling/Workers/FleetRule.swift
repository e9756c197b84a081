package import Pipeline

/// What all workers of a fleet have to be: able to read the aggregator's frames, with one set of options. A fetcher with others
/// makes other rows of the same links, and one that only fails does so fast and wins the most jobs. A pure value.
///
/// Versions of the program may differ, so that a fleet can be upgraded one process after the other.
package struct FleetRule: Sendable {
  private let version: String
  private let wire: UInt16
  /// The options that the aggregator was given; nil when the first fetcher decides.
  private let told: [FindingOption]?
  /// The fetcher that decided.
  private var first: WorkerProgram?

  /// - Parameters:
  ///   - version: The aggregator's; empty to allow any worker.
  ///   - wire: The version of the frames that it writes.
  ///   - options: Those that change results; nil to take those of the first fetcher.
  package init(version: String, wire: UInt16 = EnvelopeCodec.version, options: [FindingOption]? = nil) {
    (self.version, self.wire, told) = (version, wire, options)
  }

  /// Whether a worker belongs to its fleet.
  ///
  /// - Parameter isAlone: No other fetcher here belongs to the fleet. Then this one decides what the fleet is.
  package mutating func verdict(on hello: Hello, isAlone: Bool) -> MemberVerdict {
    guard !version.isEmpty else { return .compatible }
    guard let program = hello.program else {
      return .refused("it is older than \(version), and says nothing of itself")
    }
    if let reason = Self.difference(of: program.wire, from: wire) { return .refused(reason) }
    guard hello.role == .fetcher else { return .compatible }
    guard let wanted = wanted(isAlone: isAlone) else {
      first = program
      return .compatible
    }
    let reason = Self.difference(
      of: program.options ?? [], from: wanted.options ?? [], isOneProgram: wanted.version == program.version)
    return reason.map(MemberVerdict.refused) ?? .compatible
  }

  private func wanted(isAlone: Bool) -> WorkerProgram? {
    if let told { return WorkerProgram(version: version, wire: wire, options: told) }
    return isAlone ? nil : first
  }

  /// A reader skips what the next minor version has brought, and does without what the one before lacks.
  private static func difference(of own: UInt16, from fleets: UInt16) -> String? {
    let isNeighbour = own >> 8 == fleets >> 8 && abs(Int(own & 0xFF) - Int(fleets & 0xFF)) <= 1
    guard !isNeighbour else { return nil }
    let remedy = own >> 8 == fleets >> 8 ? ": upgrade one minor version after the other" : ""
    return
      "it writes frames of version \(WorkerProgram.text(own)), and the aggregator \(WorkerProgram.text(fleets))\(remedy)"
  }

  /// - Parameter isOneProgram: Both are of one version. Otherwise, one may have options that the other knows nothing of.
  private static func difference(
    of own: [FindingOption], from wanted: [FindingOption], isOneProgram: Bool
  ) -> String? {
    let known = Set(own.map(\.name)).intersection(wanted.map(\.name))
    let differing = Set(own).symmetricDifference(wanted).map(\.name).filter {
      isOneProgram || known.contains($0)
    }
    guard !differing.isEmpty else { return nil }
    let names = Set(differing).sorted().map { "--\($0.printed)" }
    return "its \(names.joined(separator: ", ")) \(names.count == 1 ? "is" : "are") not the fleet's"
  }
}

extension String {
  /// What a stranger says of itself, fit for a log and a report.
  package var printed: String {
    String(String.UnicodeScalarView(unicodeScalars.filter { (0x20...0x7E).contains($0.value) }))
  }
}
