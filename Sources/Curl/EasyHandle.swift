internal import CCurl

/// One reusable transfer: its options stay set from exchange to exchange, its handle is closed with it.
@safe
public struct EasyHandle: ~Copyable {
  let handle: UnsafeMutableRawPointer
  private let handler: TransferHandler
  private let errorText: UnsafeMutablePointer<CChar>
  private var headers: HeaderList?

  /// Keeps `handler` alive and reports everything to it.
  public static func open(reportingTo handler: TransferHandler) throws(CurlError) -> EasyHandle {
    let easy = try unsafe EasyHandle(handle: Library.newEasyHandle(), handler: handler)
    try easy.setCallbacks()
    return easy
  }

  private init(handle: UnsafeMutableRawPointer, handler: TransferHandler) {
    unsafe self.handle = unsafe handle
    self.handler = handler
    unsafe errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
    unsafe errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
  }

  private func setCallbacks() throws(CurlError) {
    let pointer = unsafe Unmanaged.passUnretained(handler).toOpaque()
    try unsafe check(halyard_set_error_buffer(handle, errorText), "CURLOPT_ERRORBUFFER")
    try unsafe check(
      halyard_set_header_callback(handle, receiveHeaderLine, pointer), "CURLOPT_HEADERFUNCTION")
    try unsafe check(halyard_set_body_callback(handle, receiveBody, pointer), "CURLOPT_WRITEFUNCTION")
    try unsafe check(halyard_set_socket_callback(handle, openSocket, pointer), "CURLOPT_OPENSOCKETFUNCTION")
    try unsafe check(halyard_set_tls_callback(handle, beforeHandshake, pointer), "CURLOPT_SSL_CTX_FUNCTION")
    try unsafe check(halyard_set_request_callback(handle, beforeRequest, pointer), "CURLOPT_PREREQFUNCTION")
  }

  deinit {
    unsafe curl_easy_cleanup(handle)
    unsafe errorText.deallocate()
  }

  public func set(_ option: NumberOption, to value: Int) throws(CurlError) {
    try unsafe check(halyard_set_long(handle, option.id, value), "curl_easy_setopt")
  }

  /// - Parameter value: nil for none, not even the default.
  public func set(_ option: TextOption, to value: String?) throws(CurlError) {
    try unsafe check(halyard_set_string(handle, option.id, value), "curl_easy_setopt")
  }

  /// Trusts the authorities of one PEM file: the one given, or else the system's.
  ///
  /// libcurl keeps the parsed file for later handshakes only when no folder of authorities is set beside it.
  public func trustAuthorities(in file: String?) throws(CurlError) {
    if let file {
      try set(.caFile, to: file)
    } else if !Library.hasSystemAuthorityFile {
      return
    }
    try set(.authorityFolder, to: nil)
  }

  /// Sends these lines beside libcurl's own headers from the next exchange on.
  public mutating func set(headers: consuming HeaderList) throws(CurlError) {
    try unsafe check(halyard_set_header_list(handle, headers.first), "CURLOPT_HTTPHEADER")
    self.headers = consume headers
  }

  /// What libcurl says about the last failure of this handle beyond its code; empty when nothing.
  public var failureText: String {
    unsafe String(cString: errorText)
  }
}

/// libcurl's global state, set up once per process.
enum Library {
  private static let initialised = curl_global_init(Int(CURL_GLOBAL_DEFAULT))

  static func newEasyHandle() throws(CurlError) -> UnsafeMutableRawPointer {
    try unsafe newHandle("curl_easy_init", curl_easy_init)
  }

  static func newMultiHandle() throws(CurlError) -> UnsafeMutableRawPointer {
    try unsafe newHandle("curl_multi_init", curl_multi_init)
  }

  private static func newHandle(
    _ call: String, _ make: () -> UnsafeMutableRawPointer?
  ) throws(CurlError) -> UnsafeMutableRawPointer {
    try check(initialised, "curl_global_init")
    guard let handle = unsafe make() else { throw CurlError(call: call, text: "no handle") }
    return unsafe handle
  }

  static let hasSystemAuthorityFile = halyard_has_authority_file() != 0
}

/// A step of a transfer.
public struct TransferStep: Sendable {
  let id: CURLINFO

  public static let nameLookup = Self(id: CURLINFO_NAMELOOKUP_TIME_T)
  public static let connect = Self(id: CURLINFO_CONNECT_TIME_T)
  public static let tls = Self(id: CURLINFO_APPCONNECT_TIME_T)
  public static let firstByte = Self(id: CURLINFO_STARTTRANSFER_TIME_T)
  public static let total = Self(id: CURLINFO_TOTAL_TIME_T)
}

extension EasyHandle {
  /// When a step was over, in microseconds from the start of the transfer; 0 when it did not happen.
  public func microseconds(until step: TransferStep) -> Int64 {
    var value: curl_off_t = 0
    return unsafe halyard_get_offset(handle, step.id, &value) == CURLE_OK ? Int64(value) : 0
  }

  /// Of the last response, such as `HTTP/1.1`; nil when there was none.
  public var httpVersion: String? {
    switch number(CURLINFO_HTTP_VERSION) {
    case CURL_HTTP_VERSION_1_0: "HTTP/1.0"
    case CURL_HTTP_VERSION_1_1: "HTTP/1.1"
    case CURL_HTTP_VERSION_2_0: "HTTP/2"
    case CURL_HTTP_VERSION_3: "HTTP/3"
    default: nil
    }
  }

  /// How many connections were made for the transfer.
  public var newConnections: Int { number(CURLINFO_NUM_CONNECTS) }

  private func number(_ info: CURLINFO) -> Int {
    var number = 0
    return unsafe halyard_get_long(handle, info, &number) == CURLE_OK ? number : 0
  }

  /// The system's number of the error that ended the connection; nil when there was none.
  public var systemError: Int32? {
    let error = number(CURLINFO_OS_ERRNO)
    return error == 0 ? nil : CInt(truncatingIfNeeded: error)
  }
}

/// Options of a transfer that take a number or a switch (0 and 1).
public struct NumberOption: Sendable {
  let id: CURLoption

  public static let bufferBytes = Self(id: CURLOPT_BUFFERSIZE)
  public static let connectLimitMilliseconds = Self(id: CURLOPT_CONNECTTIMEOUT_MS)
  public static let contentDecoding = Self(id: CURLOPT_HTTP_CONTENT_DECODING)
  public static let disallowCredentialsInURL = Self(id: CURLOPT_DISALLOW_USERNAME_IN_URL)
  public static let followRedirects = Self(id: CURLOPT_FOLLOWLOCATION)
  public static let httpGet = Self(id: CURLOPT_HTTPGET)
  public static let httpVersion = Self(id: CURLOPT_HTTP_VERSION)
  public static let noBody = Self(id: CURLOPT_NOBODY)
  public static let noSignals = Self(id: CURLOPT_NOSIGNAL)
  public static let pathAsIs = Self(id: CURLOPT_PATH_AS_IS)
  public static let quickExit = Self(id: CURLOPT_QUICK_EXIT)
  public static let tcpKeepAlive = Self(id: CURLOPT_TCP_KEEPALIVE)
  public static let suppressProxyHeaders = Self(id: CURLOPT_SUPPRESS_CONNECT_HEADERS)
  public static let tcpNoDelay = Self(id: CURLOPT_TCP_NODELAY)
  public static let tlsVersion = Self(id: CURLOPT_SSLVERSION)
  public static let verifyHost = Self(id: CURLOPT_SSL_VERIFYHOST)
  public static let verifyPeer = Self(id: CURLOPT_SSL_VERIFYPEER)
}

/// Options of a transfer that take a text, which libcurl copies.
public struct TextOption: Sendable {
  let id: CURLoption

  public static let caFile = Self(id: CURLOPT_CAINFO)
  public static let cookieFile = Self(id: CURLOPT_COOKIEFILE)
  public static let cookieList = Self(id: CURLOPT_COOKIELIST)
  public static let noProxy = Self(id: CURLOPT_NOPROXY)
  public static let protocols = Self(id: CURLOPT_PROTOCOLS_STR)
  public static let proxy = Self(id: CURLOPT_PROXY)
  public static let url = Self(id: CURLOPT_URL)
  public static let userAgent = Self(id: CURLOPT_USERAGENT)
  /// Sent beside the cookies that the engine has for the request.
  public static let ownCookies = Self(id: CURLOPT_COOKIE)
  static let authorityFolder = Self(id: CURLOPT_CAPATH)
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

/// Request header lines in the form that libcurl wants them.
@safe
public struct HeaderList: ~Copyable {
  private(set) var first: UnsafeMutablePointer<curl_slist>?

  public init() {
    unsafe first = nil
  }

  deinit {
    unsafe curl_slist_free_all(first)
  }

  /// The caller has made sure that neither holds a line end or a zero byte.
  public mutating func append(name: String, value: String) throws(CurlError) {
    // A name followed by a colon and nothing would remove one of libcurl's own headers.
    let line = value.isEmpty ? "\(name);" : "\(name): \(value)"
    guard let longer = unsafe curl_slist_append(first, line) else {
      throw CurlError(call: "curl_slist_append", text: "out of memory")
    }
    unsafe first = unsafe longer
  }
}

/// What libcurl reports while a transfer runs, on the thread that performs it. Kept alive by its `EasyHandle`.
open class TransferHandler {
  public init() {}

  /// One line of the header block or of trailers, with its line end; false cuts the transfer.
  open func received(headerLine: Span<UInt8>) -> Bool { true }

  /// Bytes of the body, its chunks undone and its codings not; false cuts the transfer.
  open func received(body: Span<UInt8>) -> Bool { true }

  /// A new connection is about to be made to this textual IP address; false refuses it.
  open func willConnect(to address: String, port: UInt16) -> Bool { false }

  /// The socket of a new connection, which libcurl closes when it likes.
  open func opened(socket: Int32) {}

  /// There was no socket for a new connection; `error` is the system's number.
  open func failedToOpenSocket(_ error: Int32) {}

  /// A new connection stands and its TLS handshake is about to begin.
  open func willStartTLS() {}

  /// The request is about to be sent over a new or a reused connection; false refuses it.
  open func willSend(over connection: ConnectionName) -> Bool { false }

  /// What the C callbacks find behind their context pointer.
  static func from(_ pointer: UnsafeMutableRawPointer?) -> TransferHandler? {
    guard let pointer = unsafe pointer else { return nil }
    return unsafe Unmanaged<TransferHandler>.fromOpaque(pointer).takeUnretainedValue()
  }
}

/// Fewer bytes than given: libcurl ends the transfer with a write error.
private let cut = 0

func receiveHeaderLine(
  _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ pointer: UnsafeMutableRawPointer?
) -> Int {
  unsafe hand(bytes, size * count, to: pointer) { $0.received(headerLine: $1) }
}

func receiveBody(
  _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ pointer: UnsafeMutableRawPointer?
) -> Int {
  unsafe hand(bytes, size * count, to: pointer) { $0.received(body: $1) }
}

private func hand(
  _ bytes: UnsafeMutablePointer<CChar>?, _ count: Int, to pointer: UnsafeMutableRawPointer?,
  _ received: (TransferHandler, Span<UInt8>) -> Bool
) -> Int {
  guard let handler = unsafe TransferHandler.from(pointer), let bytes = unsafe bytes else { return cut }
  let part = unsafe UnsafeRawBufferPointer(start: bytes, count: count)
  let goesOn = unsafe part.withMemoryRebound(to: UInt8.self) {
    unsafe received(handler, $0.span)
  }
  return goesOn ? count : cut
}

func openSocket(
  _ pointer: UnsafeMutableRawPointer?, _ purpose: curlsocktype,
  _ address: UnsafeMutablePointer<curl_sockaddr>?
) -> curl_socket_t {
  guard let handler = unsafe TransferHandler.from(pointer), let address = unsafe address,
    let text = unsafe writtenText(
      room: INET6_ADDRSTRLEN, { unsafe halyard_address_text(address, $0, $1) != 0 }),
    unsafe handler.willConnect(to: text, port: halyard_dialled_port(address))
  else { return halyard_no_socket }
  var error: CInt = 0
  let socket = unsafe halyard_open_socket(address, &error)
  if socket == halyard_no_socket {
    handler.failedToOpenSocket(error)
  } else {
    handler.opened(socket: socket)
  }
  return socket
}

/// In the file of `beforeHandshake` and never inlined, so that what paces reading counts the same turns.
@inline(never)
func beginTurn() {
  halyard_begin_turn()
}

func beforeHandshake(
  _ handle: UnsafeMutableRawPointer?, _ tls: UnsafeMutableRawPointer?, _ pointer: UnsafeMutableRawPointer?
) -> CURLcode {
  guard let handler = unsafe TransferHandler.from(pointer) else { return CURLE_ABORTED_BY_CALLBACK }
  unsafe halyard_bound_handshakes(tls)
  handler.willStartTLS()
  return CURLE_OK
}

func beforeRequest(
  _ pointer: UnsafeMutableRawPointer?, _ remote: UnsafeMutablePointer<CChar>?,
  _ local: UnsafeMutablePointer<CChar>?, _ remotePort: CInt, _ localPort: CInt
) -> CInt {
  guard let handler = unsafe TransferHandler.from(pointer), let remote = unsafe remote
  else { return halyard_refuse_request }
  let connection = unsafe ConnectionName(
    address: String(cString: remote), port: UInt16(truncatingIfNeeded: remotePort),
    localPort: UInt16(truncatingIfNeeded: localPort))
  return handler.willSend(over: connection) ? halyard_allow_request : halyard_refuse_request
}

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
}
