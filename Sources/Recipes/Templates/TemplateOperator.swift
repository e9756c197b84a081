/// What stands behind an opening brace, and so how values are joined and encoded.
enum TemplateOperator: UInt8, CaseIterable, Hashable, Sendable {
  case simple = 0
  case reserved = 0x2B
  case fragment = 0x23
  case label = 0x2E
  case path = 0x2F
  case parameter = 0x3B
  case query = 0x3F
  case continuation = 0x26

  /// What stands before the first value and between two, as in RFC 6570's appendix A.
  private var form: (first: String, separator: String, isNamed: Bool, keepsReserved: Bool) {
    switch self {
    case .simple: ("", ",", false, false)
    case .reserved: ("", ",", false, true)
    case .fragment: ("#", ",", false, true)
    case .label: (".", ".", false, false)
    case .path: ("/", "/", false, false)
    case .parameter: (";", ";", true, false)
    case .query: ("?", "&", true, false)
    case .continuation: ("&", "&", true, false)
    }
  }

  /// Appends what stands before a value that is there.
  func appendMark(isFirst: Bool, to output: inout [UInt8]) {
    output.append(contentsOf: (isFirst ? form.first : form.separator).utf8)
  }

  /// Appends one value that is there.
  ///
  /// - Returns: Where it begins.
  @discardableResult
  func append(_ name: String, _ value: String, isFirst: Bool, to output: inout [UInt8]) -> Int {
    appendMark(isFirst: isFirst, to: &output)
    if form.isNamed {
      output.append(contentsOf: name.utf8)
      if !value.isEmpty || self != .parameter { output.append(UInt8(ascii: "=")) }
    }
    let start = output.count
    TemplateEncoding.append(value, keepingReserved: form.keepsReserved, to: &output)
    return start
  }
}
