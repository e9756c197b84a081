/// Which program a worker is.
public struct WorkerProgram: Hashable, Sendable {
  public var version: String
  /// The version of the frames that it writes.
  public var wire: UInt16
  /// Its id on its machine; 0 when it does not say.
  public var process: UInt32

  public init(version: String, wire: UInt16 = EnvelopeCodec.version, process: UInt32 = 0) {
    self.version = version
    self.wire = wire
    self.process = process
  }

  public var knownProcess: UInt32? { process > 0 ? process : nil }

  /// `1.0`, as people read the version of its frames.
  public var wireText: String { "\(wire >> 8).\(wire & 0xFF)" }

  /// Bytes of a version: there is no reason for more.
  public static let longestText = 64
}
