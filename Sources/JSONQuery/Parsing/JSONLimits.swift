/// What a document may cost; the defaults fit any body of 8 MiB.
public struct JSONLimits: Hashable, Sendable {
  /// How many arrays and objects may stand inside each other.
  public var depth: Int
  /// How many values and member names the document may hold; each takes 16 bytes of memory.
  public var values: Int

  /// Enough for whatever holds a document of the default limits.
  public static let around = JSONLimits(depth: 520, values: .max)

  /// Limits of `depth` levels and `values` values, with ceilings that keep the tape's fields in range.
  public init(depth: Int = 512, values: Int = 1 << 22) {
    self.depth = depth
    self.values = min(values, TapeNode.maximumCount)
  }
}
