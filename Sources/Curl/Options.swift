internal import CCurl

/// Options of a transfer that take a number or a switch (0 and 1).
public enum NumberOption: Sendable {
  case bufferBytes
  case connectLimitMilliseconds
  case contentDecoding
  case disallowCredentialsInURL
  case followRedirects
  case httpGet
  case httpVersion
  case noBody
  case noSignals
  case pathAsIs
  case quickExit
  case tcpKeepAlive
  case suppressProxyHeaders
  case tcpNoDelay
  case tlsVersion
  case verifyHost
  case verifyPeer

  var id: CURLoption {
    switch self {
    case .bufferBytes: CURLOPT_BUFFERSIZE
    case .connectLimitMilliseconds: CURLOPT_CONNECTTIMEOUT_MS
    case .contentDecoding: CURLOPT_HTTP_CONTENT_DECODING
    case .disallowCredentialsInURL: CURLOPT_DISALLOW_USERNAME_IN_URL
    case .followRedirects: CURLOPT_FOLLOWLOCATION
    case .httpGet: CURLOPT_HTTPGET
    case .httpVersion: CURLOPT_HTTP_VERSION
    case .noBody: CURLOPT_NOBODY
    case .noSignals: CURLOPT_NOSIGNAL
    case .pathAsIs: CURLOPT_PATH_AS_IS
    case .quickExit: CURLOPT_QUICK_EXIT
    case .tcpKeepAlive: CURLOPT_TCP_KEEPALIVE
    case .suppressProxyHeaders: CURLOPT_SUPPRESS_CONNECT_HEADERS
    case .tcpNoDelay: CURLOPT_TCP_NODELAY
    case .tlsVersion: CURLOPT_SSLVERSION
    case .verifyHost: CURLOPT_SSL_VERIFYHOST
    case .verifyPeer: CURLOPT_SSL_VERIFYPEER
    }
  }
}

/// Options of a transfer that take a text, which libcurl copies.
public enum TextOption: Sendable {
  case caFile
  case cookieFile
  case cookieList
  case noProxy
  case protocols
  case proxy
  case url
  case userAgent

  var id: CURLoption {
    switch self {
    case .caFile: CURLOPT_CAINFO
    case .cookieFile: CURLOPT_COOKIEFILE
    case .cookieList: CURLOPT_COOKIELIST
    case .noProxy: CURLOPT_NOPROXY
    case .protocols: CURLOPT_PROTOCOLS_STR
    case .proxy: CURLOPT_PROXY
    case .url: CURLOPT_URL
    case .userAgent: CURLOPT_USERAGENT
    }
  }
}

/// Values of `NumberOption.httpVersion`.
public enum HTTPVersion {
  public static let onlyHTTP1 = CURL_HTTP_VERSION_1_1
  public static let http2OverTLS = CURL_HTTP_VERSION_2TLS
}

/// Values of `NumberOption.tlsVersion`.
public enum TLSVersion {
  public static let atLeast12 = CURL_SSLVERSION_TLSv1_2
}
