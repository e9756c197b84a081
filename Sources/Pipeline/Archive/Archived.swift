/// A value that is sent and stored. One function names its fields, and three coders run it: to count, to write, to read.
///
/// A field is a key of one byte and a value. The key has the field's number in its lower six bits, then a bit for its form;
/// the top bit says that who does not know the field must refuse the whole. Fields stand in the order of their numbers. A
/// field that is not there is as in `blank`, so what has its usual value takes no bytes.
protocol Archived: FieldValue {
  /// What it is before any field is read.
  static var blank: Self { get }

  /// Has the coder take each field, in ascending order of their numbers.
  mutating func code(_ coder: inout some Coder)
}

extension Archived {
  static var form: FieldForm { .block }

  func write(to writer: inout ByteWriter) {
    var value = self
    value.code(&writer)
  }

  init(_ reader: inout ByteReader) throws(FrameError) {
    self = .blank
    var coder = ArchiveReader(reader)
    code(&coder)
    try coder.finish(Self.self)
    reader = coder.bytes
  }
}

/// Counts, writes or reads fields.
protocol Coder {
  static var isReading: Bool { get }

  /// - Parameter isCritical: A reader that does not know the field must not do as if it were not there.
  mutating func field<Value: FieldValue>(_ number: UInt8, _ value: inout Value?, isCritical: Bool)

  /// As many fields of that number as there are values.
  mutating func field<Value: FieldValue>(_ number: UInt8, _ values: inout [Value], isCritical: Bool)

  /// All fields that follow, as they are written.
  ///
  /// - Returns: Whether they are written with that. Who reads keeps them, and reads them too.
  mutating func takes(_ fields: inout [UInt8]?) -> Bool

  /// What is not so is refused by who reads it.
  mutating func require(_ isSound: Bool, _ what: String)

  /// What is not so is refused by who writes it, too.
  mutating func bound(_ bytes: Int, to limit: Int, _ fits: Bool)
}

extension Coder {
  var isReading: Bool { Self.isReading }

  mutating func field<Value: FieldValue>(_ number: UInt8, _ value: inout Value?) {
    field(number, &value, isCritical: false)
  }

  mutating func field<Value: FieldValue>(_ number: UInt8, _ values: inout [Value]) {
    field(number, &values, isCritical: false)
  }

  /// A field that is always there.
  mutating func need<Value: FieldValue>(_ number: UInt8, _ value: inout Value) {
    var present: Value? = value
    field(number, &present)
    guard let present else { return require(false, "field \(number)") }
    if isReading { value = present }
  }

  /// A field that has a usual value.
  mutating func field<Value: OmissibleValue>(_ number: UInt8, _ value: inout Value, isCritical: Bool = false)
  {
    var present = value == .usual ? nil : value
    field(number, &present, isCritical: isCritical)
    if isReading { value = present ?? .usual }
  }

  mutating func bytes(_ number: UInt8, _ value: inout [UInt8]) {
    var present: ByteBlock? = value.isEmpty ? nil : ByteBlock(bytes: value)
    field(number, &present)
    if isReading { value = present?.bytes ?? [] }
  }

  /// Values of one size, one behind the other.
  mutating func packed<Element: PackedValue>(_ number: UInt8, _ values: inout [Element]) {
    var present: PackedBlock<Element>? = values.isEmpty ? nil : PackedBlock(elements: values)
    field(number, &present)
    if isReading { values = present?.elements ?? [] }
  }
}
