internal import CCurl

/// The libcurl that this process runs with; it may be newer than the one it was built with.
public struct CurlLibrary: Sendable {
  public let version: String
  /// The TLS library and its version, such as `OpenSSL/3.0.17`; nil without TLS.
  public let tls: String?
  public let speaksHTTP2: Bool

  public init() {
    let facts = unsafe halyard_curl_facts().pointee
    unsafe version = String(cString: facts.version)
    unsafe tls = facts.ssl_version.map { unsafe String(cString: $0) }
    unsafe speaksHTTP2 = facts.features & CURL_VERSION_HTTP2 != 0
  }
}
