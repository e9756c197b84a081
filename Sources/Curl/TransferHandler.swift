/// What libcurl reports while a transfer runs, on the thread that performs it.
public protocol TransferHandler: AnyObject {
  /// One line of the header block or of trailers, with its line end; false cuts the transfer.
  func received(headerLine: Span<UInt8>) -> Bool

  /// Bytes of the body, its chunks undone and its codings not; false cuts the transfer.
  func received(body: Span<UInt8>) -> Bool

  /// A new connection is about to be made to this textual IP address; false refuses it.
  func willConnect(to address: String, port: UInt16) -> Bool

  /// The socket of a new connection, which libcurl closes when it likes.
  func opened(socket: Int32)

  /// There was no socket for a new connection; `error` is the system's number.
  func failedToOpenSocket(_ error: Int32)

  /// A new connection stands and its TLS handshake is about to begin.
  func willStartTLS()

  /// The request is about to be sent over a new or a reused connection; false refuses it.
  func willSend(over connection: ConnectionName) -> Bool
}
