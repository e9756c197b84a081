/// Why brotli data could not be decoded.
public enum BrotliError: Error, Hashable, Sendable {
  /// The data breaks the format; the text is the library's own.
  case corrupt(String)
  /// The data needs a larger piece of memory than is allowed, or than there is.
  case tooLittleMemory
}
