import Links
import Pipeline

extension WebURL {
  /// The header that stands for a user name and password in the link (RFC 7617); nil without them.
  ///
  /// They belong to this address alone: a redirect goes on without them.
  var authorization: HeaderField? {
    guard let credentials else { return nil }
    return HeaderField(
      "Authorization", "Basic \(base64(Array("\(credentials.username):\(credentials.password)".utf8)))")
  }
}

/// The text form of RFC 4648, section 4.
private func base64(_ bytes: [UInt8]) -> String {
  let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
  var text = ""
  for start in stride(from: 0, to: bytes.count, by: 3) {
    let group = bytes[start..<min(start + 3, bytes.count)]
    let bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - group.count))
    for place in 0..<4 {
      text.append(place <= group.count ? digits[Int(bits >> UInt32(18 - 6 * place) & 0x3F)] : "=")
    }
  }
  return text
}
