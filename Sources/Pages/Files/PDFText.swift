import Posix

/// The text strings of PDF: UTF-16 or UTF-8 with a mark in front, else PDFDocEncoding.
enum PDFText {
  static func decode(_ bytes: [UInt8]) -> String {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return String(decoding: bytes.dropFirst(3), as: UTF8.self) }
    if bytes.starts(with: [0xFE, 0xFF]) { return wide(bytes, isBigEndian: true) }
    if bytes.starts(with: [0xFF, 0xFE]) { return wide(bytes, isBigEndian: false) }
    var scalars = String.UnicodeScalarView()
    for byte in bytes { scalars.append(scalar(of: byte)) }
    return String(scalars)
  }

  /// Behind a mark. Escapes that name the language of what follows are left out.
  private static func wide(_ bytes: [UInt8], isBigEndian: Bool) -> String {
    var isEscaped = false
    let units = UTF16Text.units(of: bytes, isBigEndian: isBigEndian).dropFirst().filter { unit in
      if unit == 0x1B { isEscaped.toggle() }
      return unit != 0x1B && !isEscaped
    }
    return String(decoding: units, as: UTF16.self)
  }

  private static func scalar(of byte: UInt8) -> Unicode.Scalar {
    switch byte {
    case 0x18...0x1F: accents[Int(byte - 0x18)]
    case 0x80...0xA0: signs[Int(byte - 0x80)]
    case 0x7F, 0xAD: "\u{FFFD}"
    default: Unicode.Scalar(byte)
    }
  }

  private static let accents: [Unicode.Scalar] = ["˘", "ˇ", "ˆ", "˙", "˝", "˛", "˚", "˜"]
  private static let signs: [Unicode.Scalar] = [
    "•", "†", "‡", "…", "—", "–", "ƒ", "⁄", "‹", "›", "−", "‰", "„", "“", "”", "‘", "’", "‚", "™", "ﬁ", "ﬂ",
    "Ł", "Œ",
    "Š", "Ÿ", "Ž", "ı", "ł", "œ", "š", "ž", "\u{FFFD}", "€",
  ]
}

/// Where the XMP metadata of a whole PDF stands; images inside it may have packets of their own.
enum PDFMetadata {
  /// The stream that the catalog names, as every reader of properties has it.
  ///
  /// Where the catalog is compressed, the last packet counts: writers put the document's behind what it is made of.
  static func range(in body: [UInt8]) -> Range<Int>? {
    guard var catalog = PDFScan(body, atDictionaryOf: "/Root") else { return lastPacket(in: body.span) }
    guard catalog.skip(toValueOf: "Metadata") else { return nil }
    guard let reference = catalog.reference(), let object = PDFScan(body, atObject: reference) else {
      return lastPacket(in: body.span)
    }
    let end = body.span.firstIndex(of: "endstream", from: object.position)
    return object.position..<(end ?? body.count)
  }

  private static func lastPacket(in body: Span<UInt8>) -> Range<Int>? {
    guard let start = body.lastIndex(of: "<?xpacket begin") ?? body.lastIndex(of: "<dc:title") else {
      return nil
    }
    return start..<body.count
  }
}

/// The title that a PDF has among its properties, read without decompressing anything.
///
/// It stands in the document information dictionary that the last trailer names, else in the document's XMP metadata. What an
/// encrypted document says of itself is encrypted too, so it has none.
enum PDFTitle {
  static func read(_ body: [UInt8], limit: Int) -> String? {
    guard body.span.lastIndex(of: "/Encrypt", isWord: true) == nil else { return nil }
    return information(in: body, limit: limit)
      ?? PDFMetadata.range(in: body).flatMap { XMPTitle.read(body.span.extracting($0), limit: limit) }
  }

  private static func information(in body: [UInt8], limit: Int) -> String? {
    guard var object = PDFScan(body, atDictionaryOf: "/Info"), object.skip(toValueOf: "Title"),
      let bytes = string(at: object, of: body)
    else { return nil }
    return TextCollector.text(of: PDFText.decode(bytes), as: .literal, limit: limit)
  }

  /// A string, or the object that is one.
  private static func string(at scan: PDFScan, of body: [UInt8]) -> [UInt8]? {
    var direct = scan
    if case .string(let bytes)? = direct.next() { return bytes }
    var indirect = scan
    guard let reference = indirect.reference(), var object = PDFScan(body, atObject: reference),
      case .string(let bytes)? = object.next()
    else { return nil }
    return bytes
  }
}

/// The title in XMP metadata.
enum XMPTitle {
  /// More is no title.
  private static let longest = 64 << 10

  /// Of several languages the first, which is the default.
  static func read(_ packet: Span<UInt8>, limit: Int) -> String? {
    guard let start = packet.firstIndex(of: "<dc:title", from: 0) else { return nil }
    let near = packet.extracting(start..<min(packet.count, start + longest))
    guard let end = near.firstIndex(of: "</dc:title>", from: 0) else { return nil }
    let element = near.extracting(..<end)
    var tokenizer = Tokenizer()
    var collector = TextCollector(limit: limit)
    while true {
      switch tokenizer.next(in: element, markup: .xml, allowsCDATA: true) {
      case .text(let range, let kind): collector.append(element, range, as: kind)
      case .startTag: break
      case .endTag:
        if let text = collector.text { return text }
      case .end: return collector.text
      }
    }
  }
}
