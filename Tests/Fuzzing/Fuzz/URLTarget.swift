import Links

/// The first line is a URL, and a reference against a fixed base and against the second line; all of it is user
/// input.
@Sendable func checkURL(_ bytes: [UInt8]) {
  let lines = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
  let reference = Array(lines[0])
  let base = lines.count > 1 ? try? WebURL(bytes: Array(lines[1])) : nil
  if let base { checkURL(base) }
  for base in [nil, fixedBase, base] {
    if let url = try? WebURL(bytes: reference, relativeTo: base) { checkURL(url) }
  }
  let text = String(decoding: bytes, as: UTF8.self)
  if let url = try? WebURL.userInput(text) { checkURL(url) }
  _ = try? AllowedAddress(text)
  guard let fixedBase else { return }
  var chain = RedirectChain(start: base ?? fixedBase, maxHops: 2)
  _ = chain.answered(status: 301, rawLocations: lines.map { Array($0) })
}

private let fixedBase = try? WebURL("http://base.example:81/a/b?c#d")

/// It is plain ASCII, reads back as itself, and is the sum of its parts.
private func checkURL(_ url: WebURL) {
  let start = "\(url.scheme.rawValue)://"
  let userinfo = url.password.isEmpty ? url.username : "\(url.username):\(url.password)"
  let full = userinfo.isEmpty ? url.href : "\(start)\(userinfo)@\(url.href.dropFirst(start.count))"
  require((try? WebURL(full)) == url, "\(full) does not read back")
  require((try? WebURL(bytes: Array(full.utf8), relativeTo: fixedBase)) == url, "\(full) depends on its base")
  require(url.href.utf8.allSatisfy { (0x21...0x7E).contains($0) }, "\(url.href) is not plain ASCII")
  let port = url.port.map { ":\($0)" } ?? ""
  let request = "\(start)\(url.host)\(port)\(url.path)" + (url.query.map { "?\($0)" } ?? "")
  require(request == url.requestURL, "\(request) is not \(url.requestURL)")
  require(url.requestURL + (url.fragment.map { "#\($0)" } ?? "") == url.href, "\(url.href) lost its fragment")
}
