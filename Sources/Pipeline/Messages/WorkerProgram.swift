/// Which program a worker is, and by which options it finds what it finds. Two that differ make different rows of the same
/// links, so they do not belong to one fleet.
public struct WorkerProgram: Hashable, Sendable {
  public var version: String
  /// The version of the frames that it writes.
  public var wire: UInt16
  /// A fingerprint of each option that changes what is found; nil for a worker that does not fetch.
  public var options: [FindingOption]?
  /// Its id on its machine; 0 when it does not say.
  public var process: UInt32

  public init(
    version: String, wire: UInt16 = EnvelopeCodec.version, options: [FindingOption]? = nil,
    process: UInt32 = 0
  ) {
    self.version = version
    self.wire = wire
    self.options = options
    self.process = process
  }

  /// `1.1`, as people read the version of its frames.
  public var wireText: String { Self.text(wire) }

  public static func text(_ wire: UInt16) -> String { "\(wire >> 8).\(wire & 0xFF)" }

  /// Bytes of a version or a name, and options: there is no reason for more.
  public static let longestText = 64
  public static let mostOptions = 64
}

/// An option and what was given for it, as a hash: it can be a secret.
public struct FindingOption: Hashable, Sendable {
  public var name: String
  public var hash: UInt64

  public init(name: String, hash: UInt64) {
    self.name = name
    self.hash = hash
  }
}
