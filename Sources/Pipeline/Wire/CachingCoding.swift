/// What is said about answers that may be kept, in extensions.
extension CachePolicy {
  func add(to frame: inout FrameWriter) {
    frame.add(.cachePolicy) { $0.optionalValidators(known) }
  }

  init?(_ frame: FrameReader) throws(FrameError) {
    guard var found = frame.first(.cachePolicy) else { return nil }
    known = try found.optionalValidators()
  }
}

extension CacheNote {
  fileprivate static let failureBit: UInt8 = 1
  fileprivate static let unchangedBit: UInt8 = 2

  func add(to frame: inout FrameWriter) {
    frame.add(.cacheNote) { $0.note(self) }
  }

  init?(_ frame: FrameReader) throws(FrameError) {
    guard var found = frame.first(.cacheNote) else { return nil }
    self = try found.note()
  }
}

extension ByteWriter {
  fileprivate mutating func note(_ note: CacheNote) {
    integer(
      (note.isOfFailure ? CacheNote.failureBit : 0) | (note.isUnchanged ? CacheNote.unchangedBit : 0))
    optionalValidators(note.validators)
  }

  mutating func optionalNote(_ note: CacheNote?) {
    integer(UInt8(note == nil ? 0 : 1))
    if let note { self.note(note) }
  }
}

extension ByteReader {
  fileprivate mutating func note() throws(FrameError) -> CacheNote {
    let bits = try integer("caching", as: UInt8.self)
    return CacheNote(
      isOfFailure: bits & CacheNote.failureBit != 0, validators: try optionalValidators(),
      isUnchanged: bits & CacheNote.unchangedBit != 0)
  }

  mutating func optionalNote() throws(FrameError) -> CacheNote? {
    try flag("caching note") ? note() : nil
  }
}

extension ByteWriter {
  fileprivate mutating func optionalValidators(_ validators: Validators?) {
    integer(UInt8(validators == nil ? 0 : 1))
    guard let validators else { return }
    text(validators.url)
    optionalText(validators.entityTag)
    optionalText(validators.lastModified)
  }
}

extension ByteReader {
  fileprivate mutating func optionalValidators() throws(FrameError) -> Validators? {
    guard try flag("validators") else { return nil }
    guard
      let validators = Validators(
        url: try text("validators' url"), entityTag: try optionalText("entity tag"),
        lastModified: try optionalText("last modified"))
    else { throw .malformed("validators") }
    return validators
  }
}
