/// Why gzip data could not be inflated.
public enum ZlibError: Error, Hashable, Sendable {
  /// The data breaks the format; the text is zlib's own.
  case corrupt(String)
  /// zlib could not get memory for its window.
  case outOfMemory
}
