/// The schemes that Halyard fetches.
public enum Scheme: String, Hashable, Sendable {
  case http
  case https

  /// The port that a URL of this scheme does not have to name.
  public var defaultPort: UInt16 {
    switch self {
    case .http: 80
    case .https: 443
    }
  }
}
