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

  /// What stands before the first value.
  private var first: String {
    switch self {
    case .simple, .reserved: ""
    case .fragment: "#"
    case .label: "."
    case .path: "/"
    case .parameter: ";"
    case .query: "?"
    case .continuation: "&"
    }
  }

  /// What stands between two values.
  private var separator: String {
    switch self {
    case .simple, .reserved, .fragment: ","
    case .label: "."
    case .path: "/"
    case .parameter: ";"
    case .query, .continuation: "&"
    }
  }

  private var isNamed: Bool {
    switch self {
    case .simple, .reserved, .fragment, .label, .path: false
    case .parameter, .query, .continuation: true
    }
  }

  private var keepsReserved: Bool { self == .reserved || self == .fragment }

  /// Appends what stands before a value that is there.
  func appendMark(isFirst: Bool, to output: inout [UInt8]) {
    output.append(contentsOf: (isFirst ? first : separator).utf8)
  }

  /// Appends one value that is there.
  ///
  /// - Returns: Where it begins.
  @discardableResult
  func append(_ name: String, _ value: String, isFirst: Bool, to output: inout [UInt8]) -> Int {
    appendMark(isFirst: isFirst, to: &output)
    if isNamed {
      output.append(contentsOf: name.utf8)
      if !value.isEmpty || self != .parameter { output.append(UInt8(ascii: "=")) }
    }
    let start = output.count
    TemplateEncoding.append(value, keepingReserved: keepsReserved, to: &output)
    return start
  }
}
