/// Builds one frame: header, extensions, payload, checksum.
struct FrameWriter {
  var header: FrameHeader
  var payload: ByteWriter
  private var extensions: ByteWriter
  /// A part of it is larger than any reader takes.
  private var refusal: FrameTooLarge?

  init(_ message: MessageCode, _ form: ByteWriter.Form = .bytes) {
    header = FrameHeader(message: message)
    payload = ByteWriter(form)
    extensions = ByteWriter(form)
  }

  /// Bytes of extensions and payload.
  var count: Int { extensions.count + payload.count }

  mutating func refuse(_ refusal: FrameTooLarge) {
    self.refusal = refusal
  }

  mutating func add(_ type: ExtensionType, mustUnderstand: Bool = false, _ fill: (inout ByteWriter) -> Void) {
    extensions.integer(type.rawValue | (mustUnderstand ? FrameLayout.mustUnderstand : 0))
    extensions.block(fill)
  }

  /// Whether any reader would take it; `finish` writes what is only too large for its readers.
  func check() throws(FrameTooLarge) {
    if let refusal { throw refusal }
    try checkSizes()
  }

  private func checkSizes() throws(FrameTooLarge) {
    try Self.check(extensions.count, FrameLayout.longestExtensions)
    try Self.check(payload.count, FrameLayout.longestPayload)
  }

  func finish() throws(FrameTooLarge) -> [UInt8] {
    try checkSizes()
    var frame = ByteWriter()
    frame.reserve(FrameLayout.headerBytes + extensions.bytes.count + payload.bytes.count)
    frame.integer(FrameLayout.magic)
    frame.integer(FrameLayout.major)
    frame.integer(FrameLayout.minor)
    frame.integer(header.message.rawValue)
    frame.integer(header.kind)
    frame.integer(header.flags)
    frame.uuid(header.job)
    frame.integer(header.lease.value)
    frame.integer(header.attempt)
    frame.integer(header.step)
    frame.integer(UInt32(extensions.bytes.count))
    frame.integer(UInt32(payload.bytes.count))
    frame.integer(UInt32(0))
    frame.integer(header.deadline)
    frame.integer(header.laneSequence)
    frame.secret(header.secret)
    frame.integer(header.lease.seal)
    frame.raw(extensions.bytes)
    frame.raw(payload.bytes)
    frame.overwrite(at: FrameLayout.checksumOffset, with: FrameLayout.checksum(of: frame.bytes))
    return frame.bytes
  }

  private static func check(_ count: Int, _ limit: Int) throws(FrameTooLarge) {
    guard count <= limit else { throw FrameTooLarge(bytes: count, limit: limit) }
  }
}
