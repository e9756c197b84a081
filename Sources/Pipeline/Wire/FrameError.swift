/// Why bytes are not a frame, or not a record. They come from outside: this is data, never a trap.
public enum FrameError: Error, Hashable, Sendable {
  case tooShort
  case notAFrame
  /// Another major version; nothing of it is read.
  case otherVersion(major: UInt8)
  case wrongLength
  case wrongChecksum
  case unknownMessage(UInt8)
  /// The sender says that it must be known.
  case unknownField(UInt8)
  /// What could not be read, such as `field 3 of Hello`.
  case malformed(String)
}

/// A message is too large for a frame; it was not sent.
public struct FrameTooLarge: Error, Hashable, Sendable {
  public var bytes: Int
  public var limit: Int
}
