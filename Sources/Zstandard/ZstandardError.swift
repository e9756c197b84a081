/// Why Zstandard data could not be decoded.
public enum ZstandardError: Error, Hashable, Sendable {
  /// The data breaks the format; the text is the library's own.
  case corrupt(String)
  /// A frame asks for a larger window than is allowed.
  case windowTooLarge
  /// There is no memory for the window.
  case outOfMemory
}
