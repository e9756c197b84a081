/// The host of a URL: a name to resolve, or an address.
public enum Host: Hashable, Sendable, CustomStringConvertible {
  /// Lower case and ASCII, international labels in Punycode.
  case domain(String)
  case address(IPAddress)

  /// As it stands in a URL, IPv6 in brackets.
  public var description: String {
    switch self {
    case .domain(let name): name
    case .address(let address): address.isV4 ? address.description : "[\(address)]"
    }
  }
}
