import Posix

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
