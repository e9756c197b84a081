/// What a reference is, as far as its scheme tells.
enum WebAddress {
  /// Whether it is relative or of a scheme of HTTP; read as browsers do, which pass over line breaks and tabs.
  static func mayBeFetched(_ reference: String) -> Bool {
    var scheme: [UInt8] = []
    for byte in reference.utf8.drop(while: { $0 <= .space }) where ![0x09, 0x0A, 0x0D].contains(byte) {
      if byte == UInt8(ascii: ":") { return scheme.isEmpty || isHTTP(scheme) }
      let isPart = byte.isASCIIAlphanumeric || "+-.".utf8.contains(byte)
      guard isPart, !scheme.isEmpty || byte.isASCIILetter else { return true }
      scheme.append(byte.lowercased)
    }
    return true
  }

  private static func isHTTP(_ scheme: [UInt8]) -> Bool {
    scheme.elementsEqual("http".utf8) || scheme.elementsEqual("https".utf8)
  }
}
