import Links
import Pipeline
import Recipes

/// What is for the link's own origin alone: its user name and password (RFC 7617), and the headers that the user gave.
///
/// What a redirect brings of its own is not used. Once a walk has been elsewhere, nothing of this is sent any more.
struct OwnHeaders {
  private let origin: Origin
  private let headers: [HeaderField]
  private var cookies = OwnCookies()
  private(set) var hasLeft: Bool

  /// There is nothing that is for one origin alone.
  var isEmpty: Bool { headers.isEmpty }

  init(of link: WebURL, given: [HeaderField], hasLeft: Bool) {
    origin = link.origin
    self.hasLeft = hasLeft
    guard !given.contains(where: { $0.name.lowercased() == "authorization" }),
      let (user, password) = link.credentials
    else {
      headers = given
      return
    }
    headers = given + [HeaderField("Authorization", "Basic \(base64(Array("\(user):\(password)".utf8)))")]
  }

  mutating func headers(for url: WebURL) -> [HeaderField] {
    guard !headers.isEmpty else { return [] }
    if url.origin != origin { hasLeft = true }
    return hasLeft ? [] : headers.compactMap(cookies.header)
  }

  /// - Parameter lines: What the site has set by way of cookies until now.
  mutating func yield(to lines: [String]) {
    guard !isEmpty else { return }
    cookies.yield(to: lines)
  }

  mutating func yield(to response: FetchResponse) {
    guard !isEmpty else { return }
    cookies.yield(to: response.cookies)
    cookies.yield(toRemovalsIn: response.values(of: "set-cookie"))
  }

  /// What is not sent any more, for the loop rule; 0 when all is.
  var token: UInt64 {
    guard hasLeft || !cookies.replaced.isEmpty else { return 0 }
    var hash = StableHash()
    hash.add(hasLeft ? 1 as UInt64 : 0)
    for name in cookies.replaced.sorted() { hash.add(name) }
    return hash.value
  }
}

extension FetcherSettings {
  /// All of the user's headers, but for a call that an answer led away from its recipe's site: none.
  func ownHeaders(for job: Job, at link: WebURL) -> [HeaderField] {
    guard !ownHeaders.isEmpty, let call = job.reading.call else { return ownHeaders }
    guard let home = (try? CallReading(call))?.home, let url = try? WebURL(home) else { return [] }
    return url.origin == link.origin ? ownHeaders : []
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
