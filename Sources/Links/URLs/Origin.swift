/// Scheme, host and port: the border that credentials and custom headers do not cross.
public struct Origin: Hashable, Sendable, CustomStringConvertible {
  public let scheme: Scheme
  public let host: Host
  /// Always the effective port.
  public let port: UInt16

  /// `https://example.org`, with the port when it is not the default.
  public var description: String {
    let base = "\(scheme.rawValue)://\(host)"
    return port == scheme.defaultPort ? base : "\(base):\(port)"
  }
}
