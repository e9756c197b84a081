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
  private static let failureBit: UInt8 = 1
  private static let unchangedBit: UInt8 = 2

  func add(to frame: inout FrameWriter) {
    frame.add(.keepingNote) {
      $0.integer((isOfFailure ? Self.failureBit : 0) | (isUnchanged ? Self.unchangedBit : 0))
      $0.optionalValidators(validators)
    }
  }

  init?(_ frame: FrameReader) throws(FrameError) {
    guard var found = frame.findAll(.keepingNote).first else { return nil }
    let bits = try found.integer("keeping", as: UInt8.self)
    self.init(
      isOfFailure: bits & Self.failureBit != 0, validators: try found.optionalValidators(),
      isUnchanged: bits & Self.unchangedBit != 0)
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
