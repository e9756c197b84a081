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
    let (header, lengths) = try Self.readFields(&reader, code: code)
    guard lengths.extensions <= FrameLayout.longestExtensions, lengths.payload <= FrameLayout.longestPayload,
      reader.remaining == lengths.extensions + lengths.payload
    else { throw .wrongLength }
    guard lengths.checksum == FrameLayout.checksum(of: frame) else { throw .wrongChecksum }
    guard let header else { throw .unknownMessage(code) }
    self.header = header
    try readExtensions(reader.slice(lengths.extensions, "extensions"), into: &extensions)
    payload = ByteReader(reader.rest())
  }

  private typealias Lengths = (extensions: Int, payload: Int, checksum: UInt32)

  private static func readFields(_ reader: inout ByteReader, code: UInt8) throws(FrameError)
    -> (FrameHeader?, Lengths)
  {
    var header = MessageCode(rawValue: code).map(FrameHeader.init)
    let kind = try reader.integer("kind", as: UInt8.self)
    let flags = try reader.integer("flags", as: UInt16.self)
    let job = try reader.uuid("job id")
    let lease = try reader.integer("lease", as: UInt64.self)
    let attempt = try reader.integer("attempt", as: UInt16.self)
    let step = try reader.integer("step", as: UInt16.self)
    let extensions = Int(try reader.integer("extensions' length", as: UInt32.self))
    let payload = Int(try reader.integer("payload's length", as: UInt32.self))
    let checksum = try reader.integer("checksum", as: UInt32.self)
    let deadline = try reader.integer("deadline", as: Int64.self)
    let laneSequence = try reader.integer("lane sequence", as: UInt64.self)
    let secret = try reader.secret()
    let seal = try reader.integer("seal", as: UInt64.self)
    header?.secret = secret
    header?.kind = kind
    header?.flags = flags
    header?.job = job
    header?.lease = LeaseToken(lease, seal: seal)
    header?.attempt = attempt
    header?.step = step
    header?.deadline = deadline
    header?.laneSequence = laneSequence
    return (header, (extensions, payload, checksum))
  }

  /// The value of the first extension of that type.
  func find(_ type: ExtensionType) throws(FrameError) -> ByteReader {
    guard let found = extensions.first(where: { $0.type == type }) else {
      throw .malformed("missing extension")
    }
    return ByteReader(found.value)
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
