/// How a reader that does not know a field finds its end.
enum FieldForm: UInt8 {
  /// Seven bits a byte, the lowest first; the top bit says that more follow.
  case number = 0
  /// Its length, as such a number, and so many bytes.
  case block = 1
}

/// What the value of a field can be.
protocol FieldValue {
  static var form: FieldForm { get }
  /// Of a block, where that is known without writing it.
  var byteCount: Int? { get }

  /// Writes it, but for the length of a block.
  func write(to writer: inout ByteWriter)

  /// Reads it; of a block all that there is.
  init(_ reader: inout ByteReader) throws(FrameError)
}

extension FieldValue {
  var byteCount: Int? { nil }
}

/// A value that is left out when it is the usual one: zero, false, empty.
protocol OmissibleValue: FieldValue, Equatable {
  static var usual: Self { get }
}

/// Has a size that follows from its type.
protocol PackedValue {
  static var size: Int { get }

  func pack(into writer: inout ByteWriter)
  init(packedIn reader: inout ByteReader) throws(FrameError)
}

struct PackedBlock<Element: PackedValue>: FieldValue {
  static var form: FieldForm { .block }

  var elements: [Element]
  var byteCount: Int? { Element.size * elements.count }

  init(elements: [Element]) {
    self.elements = elements
  }

  func write(to writer: inout ByteWriter) {
    for element in elements { element.pack(into: &writer) }
  }

  init(_ reader: inout ByteReader) throws(FrameError) {
    elements = []
    elements.reserveCapacity(reader.remaining / Element.size)
    while !reader.isAtEnd { elements.append(try Element(packedIn: &reader)) }
  }
}

struct ByteBlock: FieldValue {
  static let form = FieldForm.block

  var bytes: [UInt8]
  var byteCount: Int? { bytes.count }

  init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  func write(to writer: inout ByteWriter) { writer.raw(bytes) }

  init(_ reader: inout ByteReader) { bytes = Array(reader.rest()) }
}

extension String: OmissibleValue {
  static let form = FieldForm.block
  static let usual = ""

  var byteCount: Int? { utf8.count }

  func write(to writer: inout ByteWriter) { writer.text(self) }

  init(_ reader: inout ByteReader) throws(FrameError) {
    guard let text = String(validating: reader.rest(), as: UTF8.self) else { throw .malformed("text") }
    self = text
  }
}

extension Bool: OmissibleValue {
  static let form = FieldForm.number
  static let usual = false

  func write(to writer: inout ByteWriter) { writer.number(self ? 1 : 0) }

  init(_ reader: inout ByteReader) throws(FrameError) {
    let number = try reader.number()
    guard number <= 1 else { throw .malformed("flag") }
    self = number == 1
  }
}

/// A value that travels as its text.
protocol TextValue: FieldValue {
  var text: String { get }

  init?(_ text: String)
}

extension TextValue {
  static var form: FieldForm { .block }

  var byteCount: Int? { text.utf8.count }

  func write(to writer: inout ByteWriter) { writer.text(text) }

  init(_ reader: inout ByteReader) throws(FrameError) {
    guard let value = Self(try String(&reader)) else { throw .malformed("text") }
    self = value
  }
}

protocol NumberValue: OmissibleValue, FixedWidthInteger, UnsignedInteger {}

extension NumberValue {
  static var form: FieldForm { .number }
  static var usual: Self { 0 }

  func write(to writer: inout ByteWriter) { writer.number(UInt64(self)) }

  init(_ reader: inout ByteReader) throws(FrameError) {
    guard let number = Self(exactly: try reader.number()) else { throw .malformed("number") }
    self = number
  }
}

extension UInt8: NumberValue {}
extension UInt16: NumberValue {}
extension UInt32: NumberValue {}
extension UInt64: NumberValue {}

extension Int64: OmissibleValue {
  static let form = FieldForm.number
  static let usual: Int64 = 0

  /// The sign comes last, so that a small number is short whatever its sign.
  func write(to writer: inout ByteWriter) {
    writer.number(UInt64(bitPattern: self &<< 1 ^ self &>> 63))
  }

  init(_ reader: inout ByteReader) throws(FrameError) {
    let number = try reader.number()
    self = Int64(bitPattern: number &>> 1) ^ -Int64(bitPattern: number & 1)
  }
}

/// Those of one raw value each; others are refused.
extension RawRepresentable where Self: FieldValue, RawValue: FieldValue {
  static var form: FieldForm { RawValue.form }

  var byteCount: Int? { rawValue.byteCount }

  func write(to writer: inout ByteWriter) { rawValue.write(to: &writer) }

  init(_ reader: inout ByteReader) throws(FrameError) {
    guard let value = Self(rawValue: try RawValue(&reader)) else { throw .malformed("code") }
    self = value
  }
}

extension Moment: FieldValue {
  static let form = FieldForm.number

  func write(to writer: inout ByteWriter) { unixMilliseconds.write(to: &writer) }

  init(_ reader: inout ByteReader) throws(FrameError) {
    self.init(unixMilliseconds: try Int64(&reader))
  }
}

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
