/// Why compressed data could not be decoded.
public enum CompressionError: Error, Hashable, Sendable {
  /// The data breaks its format; the text says how.
  case corrupt(String)
  /// The data asks for a larger window than is allowed.
  case windowTooLarge
  /// The data needs a larger piece of memory than is allowed, or than there is.
  case outOfMemory
}
