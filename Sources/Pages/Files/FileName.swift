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
