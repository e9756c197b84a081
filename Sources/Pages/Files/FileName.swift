import Links

/// Under which name a response is to be kept.
public enum FileName {
  private static let longestBytes = 255

  /// What `Content-Disposition` says (RFC 6266), else the last part of the address's path; nil for neither.
  ///
  /// It is never more than a name: folders, control characters and dots at its ends are taken off.
  public static func of(contentDisposition: String?, path: String) -> String? {
    if let disposition = contentDisposition.map(ContentDisposition.init) {
      for name in [disposition.extendedName, disposition.name].compactMap(\.self) {
        if let name = safe(name) { return name }
      }
    }
    let segment = path.utf8.split(separator: .slash, omittingEmptySubsequences: false).last ?? [][...]
    return decoded(Array(segment)).flatMap(safe)
  }

  private static func safe(_ name: String) -> String? {
    let last = name.unicodeScalars.split { $0 == "/" || $0 == "\\" }.last ?? [][...]
    let printable = last.filter { $0.properties.generalCategory != .control && !isMisleading($0) }
    let start = printable.drop(while: isPadding)
    let whole = String(String.UnicodeScalarView(start)).cut(toBytes: longestBytes)
    // A cut may end with padding too.
    let trimmed = whole.unicodeScalars.reversed().drop(while: isPadding).reversed()
    let text = String(String.UnicodeScalarView(trimmed))
    return text.isBlank ? nil : text
  }

  private static func isPadding(_ scalar: Unicode.Scalar) -> Bool { scalar == " " || scalar == "." }

  /// What turns the direction of writing can hide a name's real end.
  private static func isMisleading(_ scalar: Unicode.Scalar) -> Bool {
    ("\u{202A}"..."\u{202E}").contains(scalar) || ("\u{2066}"..."\u{2069}").contains(scalar)
  }

  /// Percent-encoding undone; nil when that is no UTF-8.
  static func decoded(_ bytes: [UInt8]) -> String? {
    String(validating: percentDecoded(bytes.span), as: UTF8.self)
  }
}

/// The two file names that a `Content-Disposition` header may give.
struct ContentDisposition {
  private(set) var name: String?
  /// By RFC 8187, with its charset; meant for those who can read it.
  private(set) var extendedName: String?

  init(_ header: String) {
    let bytes = Array(header.utf8.prefix(8 << 10))
    var index = bytes.firstIndex(of: .semicolon) ?? bytes.count
    while index < bytes.count {
      index += 1
      let (parameter, end) = Self.parameter(in: bytes, from: index)
      index = end
      switch parameter.name {
      case "filename": name = name ?? Self.plain(parameter.value)
      case "filename*": extendedName = extendedName ?? Self.extended(parameter.value)
      default: break
      }
    }
  }

  /// One `name=value`, and where the semicolon behind it is.
  private static func parameter(
    in bytes: [UInt8], from start: Int
  ) -> (parameter: (name: String, value: [UInt8]), end: Int) {
    var index = start
    while index < bytes.count, bytes[index] != .equals, bytes[index] != .semicolon { index += 1 }
    let name = String(decoding: bytes[start..<index].filter { $0 > .space }.map(\.lowercased), as: UTF8.self)
    guard index < bytes.count, bytes[index] == .equals else { return ((name, []), index) }
    index += 1
    while index < bytes.count, bytes[index].isHTMLSpace { index += 1 }
    var value: [UInt8] = []
    if index < bytes.count, bytes[index] == .doubleQuote {
      index = quoted(in: bytes, from: index + 1, into: &value)
      while index < bytes.count, bytes[index] != .semicolon { index += 1 }
    } else {
      while index < bytes.count, bytes[index] != .semicolon {
        value.append(bytes[index])
        index += 1
      }
      while value.last?.isHTMLSpace == true { value.removeLast() }
    }
    return ((name, value), index)
  }

  /// Behind the closing quote; a backslash takes the next character as it is.
  private static func quoted(in bytes: [UInt8], from start: Int, into value: inout [UInt8]) -> Int {
    var index = start
    while index < bytes.count, bytes[index] != .doubleQuote {
      // Old browsers' whole paths have backslashes that escape nothing.
      if bytes[index] == UInt8(ascii: "\\"), index + 1 < bytes.count,
        [.doubleQuote, UInt8(ascii: "\\")].contains(bytes[index + 1])
      {
        index += 1
      }
      value.append(bytes[index])
      index += 1
    }
    return min(index + 1, bytes.count)
  }

  /// Servers percent-encode here too, although it means nothing; browsers undo it.
  private static func plain(_ value: [UInt8]) -> String? {
    FileName.decoded(value) ?? String(decoding: value, as: UTF8.self)
  }

  /// `UTF-8'en'na%C3%AFve`.
  private static func extended(_ value: [UInt8]) -> String? {
    let parts = value.split(separator: .singleQuote, maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3 else { return nil }
    let bytes = percentDecoded(Array(parts[2]).span)
    switch String(decoding: parts[0].map(\.lowercased), as: UTF8.self) {
    case "utf-8": return String(validating: bytes, as: UTF8.self)
    case "iso-8859-1": return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    default: return nil
    }
  }
}
