/// The records of a robots.txt, line by line; anything that is no record is skipped.
struct RobotsLines: Sequence, IteratorProtocol {
  enum Record {
    /// The start of a name; empty for what no crawler is called.
    case userAgent(ArraySlice<UInt8>)
    case rule(allows: Bool, path: ArraySlice<UInt8>, line: Int)
  }

  private var rest: ArraySlice<UInt8>
  private var line = 0

  private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
  private static let userAgent = Array("user-agent".utf8)
  private static let allow = Array("allow".utf8)
  private static let disallow = Array("disallow".utf8)

  init(_ bytes: ArraySlice<UInt8>) {
    rest = bytes.starts(with: Self.mark) ? bytes.dropFirst(3) : bytes
  }

  mutating func next() -> Record? {
    while let text = nextLine() {
      if let record = Self.record(text, at: line) { return record }
    }
    return nil
  }

  /// Lines end with CR, LF, or both.
  private mutating func nextLine() -> ArraySlice<UInt8>? {
    guard !rest.isEmpty else { return nil }
    line += 1
    guard let end = rest.firstIndex(where: \.endsLine) else { return exchange(&rest, with: []) }
    let text = rest[..<end]
    let isReturn = rest[end] == .carriageReturn
    rest = rest[(end + 1)...]
    if isReturn, rest.first == .lineFeed { rest = rest.dropFirst() }
    return text
  }

  private static func record(_ text: ArraySlice<UInt8>, at line: Int) -> Record? {
    let text = text.prefix { $0 != .hash }
    guard let colon = text.firstIndex(of: .colon) else { return nil }
    let value = text[(colon + 1)...].trimmed
    return switch text[..<colon].trimmed.map(\.asciiLowercased) {
    case userAgent: .userAgent(value)
    case allow: .rule(allows: true, path: value, line: line)
    case disallow: .rule(allows: false, path: value, line: line)
    default: nil
    }
  }
}

extension UInt8 {
  var endsLine: Bool { self == .lineFeed || self == .carriageReturn }
}

extension ArraySlice<UInt8> {
  fileprivate var trimmed: ArraySlice<UInt8> {
    trimming { $0 == .space || $0 == .tab }
  }
}
