/// An element's name as a number, in any case; good for telling whether two tags belong together.
struct ElementCode: Hashable, Sendable {
  private var hash: UInt64 = 0xCBF2_9CE4_8422_2325

  init() {}

  init(_ name: TagName) { self.init(name.rawValue) }

  /// `name` is in lower case.
  init(_ name: String) {
    for byte in name.utf8 { add(byte) }
  }

  /// One more byte, in lower case.
  @inline(__always)
  mutating func add(_ byte: UInt8) {
    hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
  }

  static let buckets = 512

  /// One of `buckets`, for counting.
  var bucket: Int { Int(truncatingIfNeeded: ((hash ^ hash >> 29) &* 0xBF58_476D_1CE4_E5B9) >> 55) }
}
