/// The C library knows no conversion between two charsets.
public struct IconvError: Error, Hashable, Sendable, CustomStringConvertible {
  public let from: String
  public let to: String

  public var description: String { "iconv_open: no conversion from \(from) to \(to)" }
}
