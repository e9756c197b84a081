/// What is said about answers that may be kept, in extensions: older workers pass over them, and nothing is kept then.
extension KeepingWish {
  func add(to frame: inout FrameWriter) {
    frame.add(.keepingWish) { $0.optionalValidators(known) }
  }

  init?(_ frame: FrameReader) throws(FrameError) {
    guard var found = frame.findAll(.keepingWish).first else { return nil }
    known = try found.optionalValidators()
  }
}

extension KeepingNote {
  fileprivate static let failureBit: UInt8 = 1
  fileprivate static let unchangedBit: UInt8 = 2

  func add(to frame: inout FrameWriter) {
    frame.add(.keepingNote) { $0.note(self) }
  }

  init?(_ frame: FrameReader) throws(FrameError) {
    guard var found = frame.findAll(.keepingNote).first else { return nil }
    self = try found.note()
  }
}

extension ByteWriter {
  fileprivate mutating func note(_ note: KeepingNote) {
    integer(
      (note.isOfFailure ? KeepingNote.failureBit : 0) | (note.isUnchanged ? KeepingNote.unchangedBit : 0))
    optionalValidators(note.validators)
  }

  mutating func optionalNote(_ note: KeepingNote?) {
    integer(UInt8(note == nil ? 0 : 1))
    if let note { self.note(note) }
  }
}

extension ByteReader {
  fileprivate mutating func note() throws(FrameError) -> KeepingNote {
    let bits = try integer("keeping", as: UInt8.self)
    return KeepingNote(
      isOfFailure: bits & KeepingNote.failureBit != 0, validators: try optionalValidators(),
      isUnchanged: bits & KeepingNote.unchangedBit != 0)
  }

  mutating func optionalNote() throws(FrameError) -> KeepingNote? {
    try flag("keeping note") ? note() : nil
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
