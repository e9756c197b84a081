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

/// The library and those that it uses, such as `libcurl/7.88.1 OpenSSL/3.0.15`.
public var curlVersion: String {
  unsafe curl_version().map { unsafe String(cString: $0) } ?? ""
}

/// The file of authorities that is trusted where no other is named; nil when the library was built without.
public var authorityFile: String? {
  unsafe halyard_authority_file().map { unsafe String(cString: $0) }
}

/// Whether libcurl can load a PEM file of authorities; asked before the first link is, because it would only tell at
/// each handshake.
public func canLoadAuthorities(in file: String) throws(CurlError) -> Bool {
  let handle = try unsafe Library.newEasyHandle()
  defer { unsafe curl_easy_cleanup(handle) }
  return unsafe halyard_try_authorities(handle, file) != CURLE_SSL_CACERT_BADFILE
}
