import Links
import Pipeline

/// The user name and password of a link (RFC 7617). They go to the link's own origin, wherever it redirects within it,
/// and to nobody else; what a redirect brings of its own is not used.
struct LinkCredentials {
  private let origin: Origin
  private let header: HeaderField?

  init(of link: WebURL) {
    origin = link.origin
    header = link.credentials.map {
      HeaderField("Authorization", "Basic \(base64(Array("\($0.username):\($0.password)".utf8)))")
    }
  }

  func headers(for url: WebURL) -> [HeaderField] {
    guard let header, url.origin == origin else { return [] }
    return [header]
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
