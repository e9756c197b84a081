/// A value that is sent and stored. One function names its fields, and three coders run it: to count, to write, to read.
///
/// A field is a key of one byte and a value. The key has the field's number in its lower six bits, then a bit for its form;
/// the top bit says that who does not know the field must refuse the whole. Fields stand in the order of their numbers. A
/// field that is not there is as in a new value, so what has its usual value takes no bytes.
protocol Archived: FieldValue {
  /// What it is before any field is read.
  init()

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
    self.init()
    var coder = ArchiveReader(reader, of: Self.self)
    code(&coder)
    try coder.finish()
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

/// Reads fields. What is wrong is found out at the end; until then what cannot be read is as if it were not there.
struct ArchiveReader: Coder {
  static let isReading = true

  private(set) var bytes: ByteReader
  private let type: Any.Type
  private var fault: FrameError?
  /// The number of the field before, and whether that was one that is not known: then it may be one of several.
  private var last: UInt8 = 0
  private var lastIsUnknown = false

  /// - Parameter type: What it reads, for the words about what is wrong.
  init(_ bytes: ByteReader, of type: Any.Type) {
    self.bytes = bytes
    self.type = type
  }

  mutating func field<Value: FieldValue>(_ number: UInt8, _ value: inout Value?, isCritical: Bool) {
    value = isAt(number, Value.form) ? read(number) : nil
  }

  mutating func field<Value: FieldValue>(_ number: UInt8, _ values: inout [Value], isCritical: Bool) {
    while isAt(number, Value.form) {
      let before = bytes.remaining
      guard let value: Value = read(number) else { return }
      guard bytes.takes(MemoryLayout<Value>.stride - (before - bytes.remaining)) else {
        return fail("field \(number)")
      }
      values.append(value)
    }
  }

  mutating func takes(_ fields: inout [UInt8]?) -> Bool {
    if bytes.takes(bytes.remaining) { fields = Array(bytes.upcoming) }
    return false
  }

  mutating func require(_ isSound: Bool, _ what: String) {
    if !isSound { fail(what) }
  }

  mutating func bound(_ bytes: Int, to limit: Int, _ fits: Bool) {
    require(fits, "size")
  }

  /// After the last field that is known.
  mutating func finish() throws(FrameError) {
    while fault == nil, let byte = bytes.next { passOver(FieldKey(byte)) }
    if let fault { throw fault }
  }

  private mutating func fail(_ what: String) { fail(.malformed("\(what) of \(type)")) }

  private mutating func fail(_ new: FrameError) { fault = fault ?? new }

  /// Whether the field comes next. Fields before it that are not known are passed over; one that comes again, or too late,
  /// would be as if it had not been sent.
  private mutating func isAt(_ number: UInt8, _ form: FieldForm) -> Bool {
    while fault == nil, let byte = bytes.next {
      let key = FieldKey(byte)
      guard key.number <= number else { return false }
      guard key.number == number else {
        passOver(key)
        continue
      }
      guard key.form == form else {
        fail("field \(number)")
        return false
      }
      bytes.skip()
      (last, lastIsUnknown) = (number, false)
      return true
    }
    return false
  }

  private mutating func passOver(_ key: FieldKey) {
    guard key.number > last || key.number == last && lastIsUnknown else { return fail("order") }
    (last, lastIsUnknown) = (key.number, true)
    guard !key.isCritical else { return fail(.unknownField(key.number)) }
    bytes.skip()
    do throws(FrameError) {
      switch key.form {
      case .number: _ = try bytes.number()
      case .block: _ = try bytes.block()
      }
    } catch {
      fail("field \(key.number)")
    }
  }

  private mutating func read<Value: FieldValue>(_ number: UInt8) -> Value? {
    do throws(FrameError) {
      guard Value.form == .block else { return try Value(&bytes) }
      var block = try bytes.block()
      let value = try Value(&block)
      bytes.room = block.room
      guard block.isAtEnd else { throw .malformed("length") }
      return value
    } catch {
      // Of a value without fields it is said which field has it.
      if Value.self is any Archived.Type { fail(error) } else { fail("field \(number)") }
      return nil
    }
  }
}
