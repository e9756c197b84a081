/// Times and sizes as people write them.
enum Quantity {
  private typealias Unit = (suffix: String, size: Int64)

  private static let timeUnits: [Unit] = [
    ("ms", 1), ("s", 1_000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000),
  ]
  private static let sizeUnits: [Unit] = [
    ("B", 1), ("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30), ("K", 1 << 10), ("M", 1 << 20),
    ("G", 1 << 30),
  ]

  /// Milliseconds in a time such as `500ms`, `30s`, `1.5m`, `1h`, `2d`, where a bare number counts seconds.
  ///
  /// Nil when it is none, or finer than a millisecond.
  static func milliseconds(_ text: String) -> Int64? { number(text, of: timeUnits, bare: "s") }

  /// Bytes in a size such as `65536`, `64K`, `8MiB`, `1G`, where K, M and G count in 1024.
  ///
  /// Nil when it is none, or no whole number of bytes.
  static func bytes(_ text: String) -> Int64? { number(text.lowercased(), of: sizeUnits, bare: "b") }

  /// The shortest spelling in hours or less that reads back as the same time: `0`, `500ms`, `30s`, `2m`.
  static func duration(_ milliseconds: Int64) -> String {
    guard milliseconds != 0 else { return "0" }
    let unit = timeUnits.dropLast().last { milliseconds % $0.size == 0 }
    return unit.map { "\(milliseconds / $0.size)\($0.suffix)" } ?? "\(milliseconds)ms"
  }

  /// The shortest spelling that reads back as the same size: `100`, `64KiB`, `8MiB`.
  static func byteSize(_ bytes: Int64) -> String {
    let unit = sizeUnits.prefix(4).last { bytes != 0 && $0.size > 1 && bytes % $0.size == 0 }
    return unit.map { "\(bytes / $0.size)\($0.suffix)" } ?? "\(bytes)"
  }

  /// A size for people, such as `343.1 MB`, in thousands.
  static func about(_ bytes: Int64) -> String {
    let units = ["B", "kB", "MB", "GB", "TB"]
    var (value, unit) = (Double(bytes), 0)
    while value >= 999.95, unit < units.count - 1 { (value, unit) = (value / 1_000, unit + 1) }
    guard unit > 0 else { return "\(bytes) B" }
    let tenths = Int64((value * 10).rounded())
    return "\(tenths / 10).\(tenths % 10) \(units[unit])"
  }

  /// - Parameter bare: The suffix of a number without one.
  private static func number(_ text: String, of units: [Unit], bare: String) -> Int64? {
    let number = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    let suffix = number.endIndex == text.endIndex ? bare : String(text[number.endIndex...])
    guard let unit = units.first(where: { $0.suffix.lowercased() == suffix }) else { return nil }
    return whole(number, times: unit.size)
  }

  /// A decimal number times a unit, when the product is whole and fits.
  private static func whole(_ number: Substring, times unit: Int64) -> Int64? {
    let parts = number.split(separator: ".", omittingEmptySubsequences: false)
    guard let integer = parts.first.flatMap({ Int64($0) }), parts.count <= 2 else { return nil }
    let (total, overflow) = integer.multipliedReportingOverflow(by: unit)
    guard !overflow else { return nil }
    guard parts.count == 2 else { return total }
    // Nine digits times the largest unit stay within 64 bits.
    guard let fraction = Int64(parts[1]), parts[1].count <= 9 else { return nil }
    let scale = parts[1].reduce(Int64(1)) { scale, _ in scale * 10 }
    guard (fraction * unit).isMultiple(of: scale) else { return nil }
    let sum = total.addingReportingOverflow(fraction * unit / scale)
    return sum.overflow ? nil : sum.partialValue
  }
}
