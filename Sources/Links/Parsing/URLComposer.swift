/// Puts a serialised URL together, part by part and in order.
struct URLComposer {
  private var bytes: [UInt8] = []
  private var userinfo: String
  private var layout: WebURL.Layout

  /// How much of a base URL a reference keeps.
  enum Prefix {
    case origin
    case path
    case query
  }

  init(scheme: Scheme, capacity: Int) {
    layout = WebURL.Layout()
    layout.scheme = scheme
    userinfo = ""
    bytes.reserveCapacity(capacity)
    bytes.append(contentsOf: scheme == .http ? "http://".utf8 : "https://".utf8)
  }

  init(_ base: WebURL, upTo prefix: Prefix, capacity: Int) {
    layout = base.layout
    userinfo = base.userinfo
    let end =
      switch prefix {
      case .origin: layout.pathStart
      case .path: layout.pathEnd
      case .query: layout.queryEnd
      }
    bytes.reserveCapacity(base.text.utf8.count + capacity)
    bytes.append(contentsOf: base.text.utf8)
    bytes.removeLast(bytes.count - end)
    layout.pathEnd = min(layout.pathEnd, end)
    layout.queryEnd = end
  }

  /// Appends `[userinfo@]host[:port]`; userinfo goes aside.
  mutating func appendAuthority(_ authority: Span<UInt8>) throws(LinkError) {
    var hostStart = 0
    for index in authority.indices where authority[index] == .at {
      hostStart = index + 1
    }
    if hostStart > 0 {
      setUserinfo(authority.extracting(0..<(hostStart - 1)))
    }
    let hostEnd = Self.hostEnd(authority, from: hostStart)
    do throws(HostFault) {
      layout.hostIsAddress = try HostParser.append(authority.extracting(hostStart..<hostEnd), to: &bytes)
    } catch {
      throw .invalidHost(error)
    }
    layout.hostEnd = bytes.count
    if hostEnd < authority.count {
      try appendPort(authority.extracting((hostEnd + 1)...))
    }
    layout.pathStart = bytes.count
  }

  /// The first colon outside brackets, or the end.
  private static func hostEnd(_ authority: Span<UInt8>, from start: Int) -> Int {
    var insideBrackets = false
    for index in start..<authority.count {
      switch authority[index] {
      case .leftBracket: insideBrackets = true
      case .rightBracket: insideBrackets = false
      case .colon where !insideBrackets: return index
      default: continue
      }
    }
    return authority.count
  }

  private mutating func setUserinfo(_ text: Span<UInt8>) {
    var nameEnd = 0
    while nameEnd < text.count, text[nameEnd] != .colon { nameEnd += 1 }
    var encoded: [UInt8] = []
    encoded.append(text.extracting(0..<nameEnd), encodingAllBut: .userinfo)
    if nameEnd + 1 < text.count {
      encoded.append(.colon)
      encoded.append(text.extracting((nameEnd + 1)...), encodingAllBut: .userinfo)
    }
    userinfo = String(decoding: encoded, as: UTF8.self)
  }

  private mutating func appendPort(_ digits: Span<UInt8>) throws(LinkError) {
    guard !digits.isEmpty else { return }
    var value = 0
    for index in digits.indices {
      guard digits[index].isASCIIDigit else { throw .invalidPort }
      value = value * 10 + Int(digits[index] - .zero)
      guard value <= Int(UInt16.max) else { throw .invalidPort }
    }
    let port = UInt16(value)
    guard port != layout.scheme.defaultPort else { return }
    layout.port = port
    bytes.append(.colon)
    bytes.append(contentsOf: String(port).utf8)
  }

  /// Appends the segments from `start`, which stands behind the first slash; returns where they end.
  mutating func appendPath(_ input: Span<UInt8>, from start: Int) -> Int {
    let plain = ByteSet.pathSegment
    var segmentStart = bytes.count
    bytes.append(.slash)
    var index = start
    while index < input.count {
      let byte = input[index]
      if plain.contains(byte) {
        bytes.append(byte)
      } else if byte == .slash || byte == .backslash {
        resolveDots(segmentStart, isLast: false)
        segmentStart = bytes.count
        bytes.append(.slash)
      } else if byte == .question || byte == .hash {
        break
      } else {
        bytes.appendPercentEncoded(byte)
      }
      index += 1
    }
    resolveDots(segmentStart, isLast: true)
    layout.pathEnd = bytes.count
    layout.queryEnd = bytes.count
    return index
  }

  mutating func removeLastSegment() {
    guard let slash = bytes[layout.pathStart...].lastIndex(of: .slash) else { return }
    bytes.removeSubrange(slash...)
  }

  /// Carries out `.` and `..` when the segment that was appended last is one of them.
  private mutating func resolveDots(_ segmentStart: Int, isLast: Bool) {
    let dots = dotCount(from: segmentStart + 1)
    guard dots > 0 else { return }
    bytes.removeSubrange(segmentStart...)
    if dots == 2 { removeLastSegment() }
    if isLast { bytes.append(.slash) }
  }

  /// 1 or 2 when the bytes from `start` are a dot segment, also with dots written `%2e`; else 0.
  private func dotCount(from start: Int) -> Int {
    guard bytes.count - start <= 6 else { return 0 }
    var dots = 0
    var index = start
    while index < bytes.count {
      if bytes[index] == .dot {
        index += 1
      } else if index + 2 < bytes.count, bytes[index] == .percent,
        bytes[index + 1] == UInt8(ascii: "2"), bytes[index + 2] | 0x20 == UInt8(ascii: "e")
      {
        index += 3
      } else {
        return 0
      }
      dots += 1
    }
    return dots > 2 ? 0 : dots
  }

  mutating func appendQuery(_ query: Span<UInt8>) {
    bytes.append(.question)
    bytes.append(query, encodingAllBut: .query)
    layout.queryEnd = bytes.count
  }

  mutating func appendFragment(_ fragment: Span<UInt8>) {
    bytes.append(.hash)
    bytes.append(fragment, encodingAllBut: .fragment)
  }

  func finish() throws(LinkError) -> WebURL {
    guard bytes.count + userinfo.utf8.count <= WebURL.maximumLength else {
      throw .tooLong(limit: WebURL.maximumLength)
    }
    return WebURL(text: String(decoding: bytes, as: UTF8.self), userinfo: userinfo, layout: layout)
  }
}
