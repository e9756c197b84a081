/// Why Zstandard data could not be decoded.
public enum ZstandardError: Error, Hashable, Sendable {
  /// The data breaks the format, or asks for a window of more than 128 MiB; the text is the library's own.
  case corrupt(String)
  /// There is no memory for the window.
  case outOfMemory
}
