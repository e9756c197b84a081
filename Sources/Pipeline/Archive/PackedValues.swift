/// Two words, as most names of things are.
protocol WordPair: PackedValue, FieldValue {
  var words: (UInt64, UInt64) { get }

  init(words: (UInt64, UInt64))
}

extension WordPair {
  static var form: FieldForm { .block }
  static var size: Int { 16 }

  var byteCount: Int? { Self.size }

  func write(to writer: inout ByteWriter) { pack(into: &writer) }

  init(_ reader: inout ByteReader) throws(FrameError) {
    self = try Self(packedIn: &reader)
  }

  func pack(into writer: inout ByteWriter) {
    writer.integer(words.0)
    writer.integer(words.1)
  }

  init(packedIn reader: inout ByteReader) throws(FrameError) {
    self.init(words: (try reader.integer(), try reader.integer()))
  }
}

/// In ledgers and frames an id stands as people read it, its first byte first.
extension UUIDv7: WordPair {
  var words: (UInt64, UInt64) { (high.byteSwapped, low.byteSwapped) }

  init(words: (UInt64, UInt64)) { self.init(high: words.0.byteSwapped, low: words.1.byteSwapped) }
}

extension WordPair where Self: TypedID {
  /// No id is so.
  static var none: Self { Self(UUIDv7(high: 0, low: 0)) }

  var words: (UInt64, UInt64) { uuid.words }

  init(words: (UInt64, UInt64)) { self.init(UUIDv7(words: words)) }
}

extension JobID: WordPair {}
extension BatchID: WordPair {}
extension WorkerID: WordPair {}

extension LeaseToken: WordPair {
  var words: (UInt64, UInt64) { (value, seal) }

  init(words: (UInt64, UInt64)) { self.init(words.0, seal: words.1) }
}

extension LaneSecret: WordPair {
  var words: (UInt64, UInt64) { (high, low) }

  init(words: (UInt64, UInt64)) { self.init(high: words.0, low: words.1) }
}

extension UInt64: PackedValue {
  static let size = 8

  func pack(into writer: inout ByteWriter) { writer.integer(self) }

  init(packedIn reader: inout ByteReader) throws(FrameError) { self = try reader.integer() }
}
