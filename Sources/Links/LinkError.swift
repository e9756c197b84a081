/// Why a text is not a URL, or not an address range, that Halyard can use.
public enum LinkError: Error, Hashable, Sendable {
  case empty
  /// Neither an absolute URL nor, where that is allowed, something that looks like a host.
  case notAURL
  case unsupportedScheme(String)
  case invalidHost(HostFault)
  case invalidPort
  /// CR, LF or NUL inside a URL that a user gave.
  case forbiddenCharacter
  /// The input, or what it became once percent-encoded, is longer than so many bytes.
  case tooLong(limit: Int)
  case invalidAddressRange(String)
  case invalidNAT64Prefix(String)

  /// One line for people.
  public var message: String {
    switch self {
    case .empty: "the URL is empty"
    case .notAURL: "not a URL: there is no http:// or https://, and no host to put it in front of"
    case .unsupportedScheme(let scheme):
      "the scheme '\(scheme)' is not supported, only http and https are"
    case .invalidHost(let fault): "the URL's host \(fault.message)"
    case .invalidPort: "the URL's port is not a number from 0 to 65535"
    case .forbiddenCharacter: "the URL contains a line break or a NUL"
    case .tooLong(let limit): "the URL is longer than \(limit) bytes"
    case .invalidAddressRange(let text):
      "'\(text)' is neither an address such as 127.0.0.1 nor a range such as 10.0.0.0/8 or fd00::/8; "
        + "with a port behind it, write 127.0.0.1:8080, [::1]:8080 or 10.0.0.0/8:8080"
    case .invalidNAT64Prefix(let text):
      "'\(text)' is not a prefix of NAT64 such as 64:ff9b::/96; it has 32, 40, 48, 56, 64 or 96 bits"
    }
  }
}

/// What is wrong with the host of a URL.
public enum HostFault: Error, Hashable, Sendable {
  case missing
  case forbiddenCharacter
  case invalidIPv4
  case invalidIPv6
  /// Not UTF-8, or a character or label that internationalised names must not have.
  case invalidInternationalName

  var message: String {
    switch self {
    case .missing: "is missing"
    case .forbiddenCharacter: "contains a character that hosts must not have"
    case .invalidIPv4: "ends in a number but is not an IPv4 address"
    case .invalidIPv6: "is not an IPv6 address"
    case .invalidInternationalName: "is not a valid internationalised name"
    }
  }
}
