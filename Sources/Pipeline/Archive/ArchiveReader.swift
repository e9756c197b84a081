/// Reads fields. What is wrong is found out at the end; until then what cannot be read is as if it were not there.
struct ArchiveReader: Coder {
  static let isReading = true

  private enum Fault {
    case field(UInt8)
    case rule(String)
    case inside(FrameError)
  }

  private(set) var bytes: ByteReader
  private var fault: Fault?
  /// The number of the field before, and whether that was one that is not known: then it may be one of several.
  private var last: UInt8 = 0
  private var lastIsUnknown = false

  init(_ bytes: ByteReader) {
    self.bytes = bytes
  }

  mutating func field<Value: FieldValue>(_ number: UInt8, _ value: inout Value?, isCritical: Bool) {
    value = isAt(number, Value.form) ? read(number) : nil
  }

  mutating func field<Value: FieldValue>(_ number: UInt8, _ values: inout [Value], isCritical: Bool) {
    while isAt(number, Value.form) {
      let before = bytes.remaining
      guard let value: Value = read(number) else { return }
      guard bytes.takes(MemoryLayout<Value>.stride - (before - bytes.remaining)) else {
        return fail(.field(number))
      }
      values.append(value)
    }
  }

  mutating func takes(_ fields: inout [UInt8]?) -> Bool {
    if bytes.takes(bytes.remaining) { fields = Array(bytes.upcoming) }
    return false
  }

  mutating func require(_ isSound: Bool, _ what: String) {
    if !isSound { fail(.rule(what)) }
  }

  mutating func bound(_ bytes: Int, to limit: Int, _ fits: Bool) {
    require(fits, "size")
  }

  /// After the last field that is known.
  mutating func finish(_ type: Any.Type) throws(FrameError) {
    while fault == nil, let byte = bytes.next { passOver(FieldKey(byte)) }
    switch fault {
    case .field(let number): throw .malformed("field \(number) of \(type)")
    case .rule(let what): throw .malformed("\(what) of \(type)")
    case .inside(let error): throw error
    case nil: break
    }
  }

  private mutating func fail(_ new: Fault) {
    fault = fault ?? new
  }

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
        fail(.field(number))
        return false
      }
      bytes.skip()
      (last, lastIsUnknown) = (number, false)
      return true
    }
    return false
  }

  private mutating func passOver(_ key: FieldKey) {
    guard key.number > last || key.number == last && lastIsUnknown else { return fail(.rule("order")) }
    (last, lastIsUnknown) = (key.number, true)
    guard !key.isCritical else { return fail(.inside(.unknownField(key.number))) }
    bytes.skip()
    do throws(FrameError) {
      switch key.form {
      case .number: _ = try bytes.number()
      case .block: _ = try bytes.block()
      }
    } catch {
      fail(.field(key.number))
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
      fail(Value.self is any Archived.Type ? .inside(error) : .field(number))
      return nil
    }
  }
}
