/// Takes one frame apart after checking its size, version and checksum.
struct FrameReader {
  let header: FrameHeader
  var payload: ByteReader
  private var extensions: [(type: ExtensionType, value: ArraySlice<UInt8>)] = []

  init(_ frame: [UInt8]) throws(FrameError) {
    guard frame.count >= FrameLayout.headerBytes else { throw .tooShort }
    var reader = ByteReader(frame[...])
    guard try reader.integer("magic", as: UInt16.self) == FrameLayout.magic else { throw .notAFrame }
    let major = try reader.integer("major", as: UInt8.self)
    guard major == FrameLayout.major else { throw .otherVersion(major: major) }
    _ = try reader.integer("minor", as: UInt8.self)
    let code = try reader.integer("message", as: UInt8.self)
    let message = MessageCode(rawValue: code)
    // Of which message it is the header is told once the frame is known to be sound.
    var header = FrameHeader(message: message ?? .drain)
    let lengths = try Self.readFields(&reader, of: &header)
    guard lengths.extensions <= FrameLayout.longestExtensions, lengths.payload <= FrameLayout.longestPayload,
      reader.remaining == lengths.extensions + lengths.payload
    else { throw .wrongLength }
    guard lengths.checksum == FrameLayout.checksum(of: frame) else { throw .wrongChecksum }
    guard message != nil else { throw .unknownMessage(code) }
    self.header = header
    try readExtensions(reader.slice(lengths.extensions, "extensions"), into: &extensions)
    payload = ByteReader(reader.rest())
  }

  private typealias Lengths = (extensions: Int, payload: Int, checksum: UInt32)

  private static func readFields(
    _ reader: inout ByteReader, of header: inout FrameHeader
  ) throws(FrameError) -> Lengths {
    header.kind = try reader.integer("kind")
    header.flags = try reader.integer("flags")
    header.job = try reader.uuid("job id")
    let lease = try reader.integer("lease", as: UInt64.self)
    header.attempt = try reader.integer("attempt")
    header.step = try reader.integer("step")
    let extensions = Int(try reader.integer("extensions' length", as: UInt32.self))
    let payload = Int(try reader.integer("payload's length", as: UInt32.self))
    let checksum = try reader.integer("checksum", as: UInt32.self)
    header.deadline = try reader.integer("deadline")
    header.laneSequence = try reader.integer("lane sequence")
    header.secret = try reader.secret()
    header.lease = LeaseToken(lease, seal: try reader.integer("seal"))
    return (extensions, payload, checksum)
  }

  /// The value of the first extension of that type.
  func find(_ type: ExtensionType) throws(FrameError) -> ByteReader {
    guard let found = first(type) else { throw .malformed("missing extension") }
    return found
  }

  /// The same; nil when there is none.
  func first(_ type: ExtensionType) -> ByteReader? {
    for found in extensions where found.type == type { return ByteReader(found.value) }
    return nil
  }

  func findAll(_ type: ExtensionType) -> [ByteReader] {
    extensions.filter { $0.type == type }.map { ByteReader($0.value) }
  }
}

private func readExtensions(
  _ bytes: ArraySlice<UInt8>, into extensions: inout [(type: ExtensionType, value: ArraySlice<UInt8>)]
) throws(FrameError) {
  var reader = ByteReader(bytes)
  while !reader.isAtEnd {
    let code = try reader.integer("extension", as: UInt16.self)
    let value = try reader.block("extension")
    if let type = ExtensionType(rawValue: code & ~FrameLayout.mustUnderstand) {
      extensions.append((type, value))
    } else if code & FrameLayout.mustUnderstand != 0 {
      throw .unknownExtension(code & ~FrameLayout.mustUnderstand)
    }
  }
}
