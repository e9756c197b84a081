internal import CCurl

/// One reusable transfer: its options stay set from exchange to exchange, its handle is closed with it.
@safe
public struct EasyHandle: ~Copyable {
  let handle: UnsafeMutableRawPointer
  private let context: CallbackContext
  private let errorText: UnsafeMutablePointer<CChar>
  private var headers: HeaderList?

  /// Keeps `handler` alive and reports everything to it.
  public static func open(reportingTo handler: any TransferHandler) throws(CurlError) -> EasyHandle {
    let easy = try unsafe EasyHandle(handle: Library.newEasyHandle(), handler: handler)
    try easy.setCallbacks()
    return easy
  }

  private init(handle: UnsafeMutableRawPointer, handler: any TransferHandler) {
    unsafe self.handle = unsafe handle
    context = CallbackContext(handler: handler)
    unsafe errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
    unsafe errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
  }

  private func setCallbacks() throws(CurlError) {
    let pointer = unsafe Unmanaged.passUnretained(context).toOpaque()
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

  public func set(_ option: TextOption, to value: String) throws(CurlError) {
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
    try unsafe check(halyard_set_string(handle, CURLOPT_CAPATH, nil), "CURLOPT_CAPATH")
  }

  /// Sends these lines beside libcurl's own headers from the next exchange on.
  public mutating func set(headers: consuming HeaderList?) throws(CurlError) {
    if let list = headers.take() {
      try unsafe check(halyard_set_header_list(handle, list.first), "CURLOPT_HTTPHEADER")
      self.headers = consume list
    } else if self.headers != nil {
      try unsafe check(halyard_set_header_list(handle, nil), "CURLOPT_HTTPHEADER")
      self.headers = nil
    }
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
    try check(initialised, "curl_global_init")
    guard let handle = unsafe curl_easy_init() else {
      throw CurlError(call: "curl_easy_init", text: "no handle")
    }
    return unsafe handle
  }

  static let hasSystemAuthorityFile = halyard_has_authority_file() != 0

  static func newMultiHandle() throws(CurlError) -> UnsafeMutableRawPointer {
    try check(initialised, "curl_global_init")
    guard let handle = unsafe curl_multi_init() else {
      throw CurlError(call: "curl_multi_init", text: "no handle")
    }
    return unsafe handle
  }
}
