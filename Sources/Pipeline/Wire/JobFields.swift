extension JobKind: FieldValue {}
extension FailureKind: FieldValue {}
extension Stage: FieldValue {}

extension Job: Archived {
  static var blank: Job { Job(batch: .none, ordinal: 0, kind: .echo, input: nil) }

  mutating func code(_ coder: inout some Coder) {
    var (id, batch, ordinal) = (self.id, self.batch, self.ordinal)
    coder.need(1, &id)
    coder.need(2, &batch)
    coder.field(3, &ordinal)
    guard coder.isReading else { return writeFields(to: &coder) }
    var parts = parts.value
    (parts.id, parts.batch, parts.ordinal) = (id, batch, ordinal)
    parts.codeFields(&coder)
    self.parts.value = parts
  }

  /// Kept fields are passed on without a copy of what they say.
  func writeFields(to coder: inout some Coder) {
    var kept = parts.value.archived.bytes
    if coder.takes(&kept) { return }
    var parts = parts.value
    parts.codeFields(&coder)
  }
}

extension Job.Parts {
  /// All but its id, its batch and its place there.
  mutating func codeFields(_ coder: inout some Coder) {
    if coder.takes(&archived.bytes) { return }
    coder.need(4, &kind)
    coder.field(6, &deadline)
    coder.field(7, &input)
    coder.field(8, &ref)
    coder.field(9, &refusal)
    coder.field(10, &kept)
    reading.code(&coder)
    coder.field(30, &origin)
  }
}

extension Reading {
  /// Its fields stand among those of its job. Who does not know one would not do what the job is for.
  fileprivate mutating func code(_ coder: inout some Coder) {
    coder.field(11, &select, isCritical: true)
    coder.field(12, &require, isCritical: true)
    coder.field(13, &unwraps, isCritical: true)
    coder.field(14, &wantsEmbed, isCritical: true)
    coder.field(15, &call, isCritical: true)
    coder.field(16, &recipe, isCritical: true)
    coder.field(17, &parameters, isCritical: true)
    coder.field(18, &headers, isCritical: true)
    coder.field(19, &language, isCritical: true)
    coder.field(20, &accepts, isCritical: true)
  }
}

extension StatusRange: FieldValue {
  static let form = FieldForm.block

  func write(to writer: inout ByteWriter) { writer.text(text) }

  init(_ reader: inout ByteReader) throws(FrameError) {
    guard let range = StatusRange(try String(&reader)) else { throw .malformed("statuses") }
    self = range
  }
}

extension KeptColumn: Archived {
  static let blank = KeptColumn("", "")

  mutating func code(_ coder: inout some Coder) {
    coder.field(1, &name)
    coder.field(2, &value)
  }
}

extension LinkOrigin: Archived {
  static let blank = LinkOrigin(file: nil, line: 0, column: 0)

  mutating func code(_ coder: inout some Coder) {
    coder.field(1, &file)
    coder.field(2, &line)
    coder.field(3, &column)
    coder.field(4, &text)
  }
}

extension Failure: Archived {
  static let blank = Failure(.underlying, at: .input, "")

  mutating func code(_ coder: inout some Coder) {
    var (message, wait) = (message, retryAfterMilliseconds)
    coder.need(1, &kind)
    coder.need(2, &stage)
    coder.field(3, &message)
    coder.field(4, &retryable)
    coder.field(5, &wait)
    guard coder.isReading else { return }
    if let asked = wait, asked < 0 { wait = nil }
    self = Failure(kind, at: stage, message, retryable: retryable, retryAfterMilliseconds: wait)
  }
}

extension NumberedRow: Archived {
  static let blank = NumberedRow(number: 0, ordinal: 0, failure: nil, json: [])

  mutating func code(_ coder: inout some Coder) {
    coder.field(1, &number)
    coder.field(2, &ordinal)
    coder.field(3, &failure)
    coder.bytes(4, &json)
  }
}
