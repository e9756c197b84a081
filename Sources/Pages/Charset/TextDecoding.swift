import Iconv

/// Turns bytes of any charset into UTF-8.
public enum TextDecoding {
  /// The text as UTF-8 without its byte order mark; bad bytes become U+FFFD.
  ///
  /// Valid UTF-8 is handed back as it is, without a copy.
  public static func utf8(from bytes: [UInt8], charset: Charset) -> [UInt8] {
    var bytes = bytes
    if let mark = Charset.byteOrderMark(of: bytes.span), mark.charset == charset {
      bytes.removeFirst(mark.length)
    }
    switch charset {
    case .utf8: return repaired(bytes)
    case .replacement: return bytes.isEmpty ? [] : UTF8.replacement
    case .iso2022JP: return converted(ISO2022JP.eucJP(from: bytes), from: .eucJP)
    default: return converted(bytes, from: charset)
    }
  }

  private static let loadedTables = Iconv.keepLoaded(
    Set(Charset.allCases.map(\.iconvName)).sorted(), to: "UTF-8")

  private static func repaired(_ bytes: [UInt8]) -> [UInt8] {
    if (try? UTF8Span(validating: bytes.span)) != nil { return bytes }
    return Array(String(decoding: bytes, as: UTF8.self).utf8)
  }

  private static func converted(_ bytes: [UInt8], from charset: Charset) -> [UInt8] {
    let (limit, overflows) = bytes.count.multipliedReportingOverflow(by: 6)
    do {
      _ = loadedTables
      var converter = try Iconv(from: charset.iconvName, to: "UTF-8")
      return converter.convert(bytes, limit: overflows ? .max : limit) { bad, next in
        charset.substitute(for: bad, next: next)
      }
    } catch {
      // A C library without its charset modules: what is ASCII can still be read.
      return bytes.flatMap { $0 < 0x80 ? [$0] : UTF8.replacement }
    }
  }
}

extension UTF8 {
  static let replacement: [UInt8] = Array("\u{FFFD}".utf8)
}
