internal import CCurl

/// libcurl's own cookie engine: host, path, secure, expiry and public suffixes are its business.
extension EasyHandle {
  /// Forgets all cookies and takes these instead, in the form of Netscape's cookie file.
  public func setCookies(_ lines: [String]) throws(CurlError) {
    try set(.cookieList, to: "ALL")
    for line in lines { try set(.cookieList, to: line) }
  }

  /// All cookies, in the form of Netscape's cookie file.
  public var cookies: [String] {
    var first: UnsafeMutablePointer<curl_slist>?
    guard unsafe halyard_get_list(handle, CURLINFO_COOKIELIST, &first) == CURLE_OK else { return [] }
    var lines: [String] = []
    var next = unsafe first
    while let line = unsafe next {
      if let text = unsafe line.pointee.data { lines.append(unsafe String(cString: text)) }
      unsafe next = unsafe line.pointee.next
    }
    unsafe curl_slist_free_all(first)
    return lines
  }

  /// Sends these beside those that the engine has for the request; nil sends only the engine's.
  public func set(ownCookies text: String?) throws(CurlError) {
    try unsafe check(halyard_set_string(handle, CURLOPT_COOKIE, text), "CURLOPT_COOKIE")
  }
}
