extension String {
  /// The media type that a `Content-Type` names: in lower case, without parameters, such as `text/html`. nil where it names none.
  ///
  /// RFC 9110 allows one type and no blanks in it. Servers write more, so blanks and control characters do not count, and of several
  /// types that were joined only the first does. A name without a slash is returned as it is. RFC 6838 allows at most 255 bytes.
  public var mediaType: String? {
    var name: [UInt8] = []
    name.reserveCapacity(32)
    for byte in utf8 {
      if byte == UInt8(ascii: ";") || byte == UInt8(ascii: ",") { break }
      if byte > .space { name.append(byte.lowercased) }
    }
    return 1...255 ~= name.count ? String(decoding: name, as: UTF8.self) : nil
  }
}
