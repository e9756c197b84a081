internal import CCurl

/// A result code of libcurl, by the names of its documentation.
public struct CurlCode: Hashable, Sendable {
  private let rawValue: UInt32

  init(_ code: CURLcode) {
    rawValue = code.rawValue
  }
}

extension CurlCode {
  public static let ok = CurlCode(CURLE_OK)
  public static let unsupportedProtocol = CurlCode(CURLE_UNSUPPORTED_PROTOCOL)
  public static let malformedURL = CurlCode(CURLE_URL_MALFORMAT)
  public static let unresolvedProxy = CurlCode(CURLE_COULDNT_RESOLVE_PROXY)
  public static let proxy = CurlCode(CURLE_PROXY)
  public static let unresolvedHost = CurlCode(CURLE_COULDNT_RESOLVE_HOST)
  public static let cannotConnect = CurlCode(CURLE_COULDNT_CONNECT)
  public static let strangeReply = CurlCode(CURLE_WEIRD_SERVER_REPLY)
  public static let http2 = CurlCode(CURLE_HTTP2)
  public static let partialFile = CurlCode(CURLE_PARTIAL_FILE)
  public static let outOfMemory = CurlCode(CURLE_OUT_OF_MEMORY)
  public static let timedOut = CurlCode(CURLE_OPERATION_TIMEDOUT)
  public static let tlsHandshake = CurlCode(CURLE_SSL_CONNECT_ERROR)
  public static let emptyReply = CurlCode(CURLE_GOT_NOTHING)
  public static let sendError = CurlCode(CURLE_SEND_ERROR)
  public static let receiveError = CurlCode(CURLE_RECV_ERROR)
  public static let loginDenied = CurlCode(CURLE_LOGIN_DENIED)
  public static let badContentEncoding = CurlCode(CURLE_BAD_CONTENT_ENCODING)
  public static let failedInit = CurlCode(CURLE_FAILED_INIT)
  public static let badAuthorityFile = CurlCode(CURLE_SSL_CACERT_BADFILE)
  public static let http2Stream = CurlCode(CURLE_HTTP2_STREAM)

  /// Codes that mean that the peer's certificate or its TLS settings are at fault, beside `tlsHandshake`.
  public static let tlsFaults: Set<CurlCode> = [
    CurlCode(CURLE_PEER_FAILED_VERIFICATION), CurlCode(CURLE_SSL_CIPHER), CurlCode(CURLE_SSL_CERTPROBLEM),
    CurlCode(CURLE_SSL_CACERT_BADFILE), CurlCode(CURLE_SSL_CRL_BADFILE), CurlCode(CURLE_SSL_ISSUER_ERROR),
    CurlCode(CURLE_SSL_ENGINE_INITFAILED), CurlCode(CURLE_SSL_INVALIDCERTSTATUS),
    CurlCode(CURLE_SSL_PINNEDPUBKEYNOTMATCH), CurlCode(CURLE_SSL_CLIENTCERT), CurlCode(CURLE_USE_SSL_FAILED),
  ]

  /// libcurl's own words for this code.
  public var text: String {
    unsafe String(cString: curl_easy_strerror(CURLcode(rawValue: rawValue)))
  }
}

/// A call of libcurl that failed.
public struct CurlError: Error, Hashable, Sendable {
  public let call: String
  public let text: String
}

/// Turns a code into a thrown error on the line after the call.
func check(_ code: CURLcode, _ call: String) throws(CurlError) {
  guard code != CURLE_OK else { return }
  throw CurlError(call: call, text: CurlCode(code).text)
}

func check(_ code: CURLMcode, _ call: String) throws(CurlError) {
  guard code != CURLM_OK else { return }
  throw unsafe CurlError(call: call, text: String(cString: curl_multi_strerror(code)))
}
