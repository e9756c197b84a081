internal import CCurl

/// What the C callbacks find behind their context pointer; kept alive by the `EasyHandle`.
@safe
final class CallbackContext {
  let handler: any TransferHandler

  init(handler: any TransferHandler) {
    self.handler = handler
  }

  static func from(_ pointer: UnsafeMutableRawPointer?) -> CallbackContext? {
    guard let pointer = unsafe pointer else { return nil }
    return unsafe Unmanaged<CallbackContext>.fromOpaque(pointer).takeUnretainedValue()
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
  _ received: (any TransferHandler, Span<UInt8>) -> Bool
) -> Int {
  guard let context = unsafe CallbackContext.from(pointer), let bytes = unsafe bytes else { return cut }
  let part = unsafe UnsafeRawBufferPointer(start: bytes, count: count)
  let goesOn = unsafe part.withMemoryRebound(to: UInt8.self) {
    unsafe received(context.handler, $0.span)
  }
  return goesOn ? count : cut
}

func openSocket(
  _ pointer: UnsafeMutableRawPointer?, _ purpose: curlsocktype,
  _ address: UnsafeMutablePointer<curl_sockaddr>?
) -> curl_socket_t {
  guard let context = unsafe CallbackContext.from(pointer), let address = unsafe address,
    let text = unsafe addressText(address),
    unsafe context.handler.willConnect(to: text, port: halyard_dialled_port(address))
  else { return halyard_no_socket }
  var error: CInt = 0
  let socket = unsafe halyard_open_socket(address, &error)
  if socket == halyard_no_socket {
    context.handler.failedToOpenSocket(error)
  } else {
    context.handler.opened(socket: socket)
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
  guard let context = unsafe CallbackContext.from(pointer) else { return CURLE_ABORTED_BY_CALLBACK }
  unsafe halyard_bound_handshakes(tls)
  context.handler.willStartTLS()
  return CURLE_OK
}

func beforeRequest(
  _ pointer: UnsafeMutableRawPointer?, _ remote: UnsafeMutablePointer<CChar>?,
  _ local: UnsafeMutablePointer<CChar>?, _ remotePort: CInt, _ localPort: CInt
) -> CInt {
  guard let context = unsafe CallbackContext.from(pointer), let remote = unsafe remote
  else { return halyard_refuse_request }
  let connection = unsafe ConnectionName(
    address: String(cString: remote), port: UInt16(truncatingIfNeeded: remotePort),
    localPort: UInt16(truncatingIfNeeded: localPort))
  return context.handler.willSend(over: connection) ? halyard_allow_request : halyard_refuse_request
}

private func addressText(_ address: UnsafeMutablePointer<curl_sockaddr>) -> String? {
  unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { text in
    guard let start = text.baseAddress,
      unsafe halyard_address_text(address, start, socklen_t(text.count)) != 0
    else { return nil }
    return unsafe String(cString: start)
  }
}
