internal import CCurl

/// Whether libcurl can load a PEM file of authorities; asked before the first link is, because it would only tell at
/// each handshake.
public func canLoadAuthorities(in file: String) throws(CurlError) -> Bool {
  let handle = try unsafe Library.newEasyHandle()
  defer { unsafe curl_easy_cleanup(handle) }
  return unsafe halyard_try_authorities(handle, file) != CURLE_SSL_CACERT_BADFILE
}
