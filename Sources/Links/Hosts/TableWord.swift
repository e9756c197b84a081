/// One word of a generated table: upper-case hexadecimal numbers between small letters and signs.
struct TableWord {
  private var rest: ArraySlice<UInt8>

  static func words(of table: String) -> [TableWord] {
    Array(table.utf8).split { $0 <= .space }.map { TableWord(rest: $0) }
  }

  /// Nil at the end.
  mutating func sign() -> UInt8? { rest.popFirst() }

  /// Nil where no number stands.
  mutating func number() -> UInt32? {
    var value: UInt32?
    while let byte = rest.first, !(0x61...0x7A).contains(byte), let digit = byte.hexDigitValue {
      value = (value ?? 0) << 4 | UInt32(digit)
      rest.removeFirst()
    }
    return value
  }

  mutating func scalar() -> Unicode.Scalar? { number().flatMap(Unicode.Scalar.init) }
}
