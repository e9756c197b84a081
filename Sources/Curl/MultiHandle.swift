internal import CCurl

/// Many transfers on one thread, over one connection cache and one cache of names.
public struct MultiHandle: ~Copyable {
  private let core: MultiCore

  public init() throws(CurlError) {
    core = try unsafe MultiCore(handle: Library.newMultiHandle())
  }

  /// Bounds open connections, idle ones included; above that no new one is made until an idle one has been closed.
  public func limitConnections(to count: Int) throws(CurlError) {
    try unsafe check(
      halyard_multi_set_long(core.handle, CURLMOPT_MAX_TOTAL_CONNECTIONS, count), "curl_multi_setopt")
    try unsafe check(halyard_multi_set_long(core.handle, CURLMOPT_MAXCONNECTS, count), "curl_multi_setopt")
  }

  /// What other threads may hold to interrupt `wait`.
  public var waker: MultiWaker { MultiWaker(core: core) }

  /// Starts a transfer; `tag` comes back with its end.
  public func add(_ easy: borrowing EasyHandle, tag: Int) throws(CurlError) {
    try unsafe check(halyard_set_tag(easy.handle, tag), "CURLOPT_PRIVATE")
    try unsafe check(curl_multi_add_handle(core.handle, easy.handle), "curl_multi_add_handle")
  }

  /// Ends a transfer, or makes a finished one ready to be started again.
  public func remove(_ easy: borrowing EasyHandle) {
    _ = unsafe curl_multi_remove_handle(core.handle, easy.handle)
  }

  /// Does what can be done without waiting, handlers included; of each TLS connection it reads no more than a share.
  public func perform() throws(CurlError) {
    var running: CInt = 0
    beginTurn()
    try unsafe check(curl_multi_perform(core.handle, &running), "curl_multi_perform")
  }

  /// The tag and the code of a transfer that has ended; nil when all have been told.
  public func nextFinished() -> (tag: Int, code: CurlCode)? {
    var handle: UnsafeMutableRawPointer?
    var code = CURLE_OK
    var tag = 0
    guard unsafe halyard_next_finished(core.handle, &handle, &code) != 0,
      unsafe halyard_get_tag(handle, &tag) == CURLE_OK
    else { return nil }
    return (tag, CurlCode(code))
  }

  /// Sleeps until a socket is ready, a timer of libcurl is due, a waker woke, or the time is up.
  public func wait(milliseconds: Int) throws(CurlError) {
    let limit = CInt(clamping: milliseconds)
    try unsafe check(curl_multi_poll(core.handle, nil, 0, limit, nil), "curl_multi_poll")
  }
}

/// Interrupts `MultiHandle.wait` from any thread; a wake-up between two waits is not lost. No closure: those are boxed anew
/// wherever they pass through generic code, such as a lock.
public struct MultiWaker: Sendable {
  let core: MultiCore

  public func wake() {
    // It fails only without memory for the wake-up socket, and then `wait` returns by its limit.
    _ = unsafe curl_multi_wakeup(core.handle)
  }
}

/// The C handle, closed with its last holder.
///
/// Sendable because wakers use nothing but `curl_multi_wakeup`,
/// which libcurl allows from any thread; everything else is reachable through `MultiHandle` only.
@safe
final class MultiCore: @unchecked Sendable {
  let handle: UnsafeMutableRawPointer

  init(handle: UnsafeMutableRawPointer) {
    unsafe self.handle = unsafe handle
  }

  deinit {
    _ = unsafe curl_multi_cleanup(handle)
  }
}

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
