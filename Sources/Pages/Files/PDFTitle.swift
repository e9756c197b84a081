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
