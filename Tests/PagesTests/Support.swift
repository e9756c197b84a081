import Pages

let pageURL = "https://site.test/posts/one"

/// Resolves as much as these tests need.
func resolve(_ reference: String, _ base: String) -> String? {
  if reference.hasPrefix("bad:") { return nil }
  if reference.contains(":"), !reference.hasPrefix("/") { return reference }
  let parts = base.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
  guard parts.count == 4 else { return nil }
  let origin = "\(parts[0])//\(parts[2])"
  if reference.hasPrefix("//") { return "\(parts[0])\(reference)" }
  if reference.hasPrefix("/") { return origin + reference }
  let folder = parts[3].split(separator: "/", omittingEmptySubsequences: false).dropLast()
  return ([Substring(origin)] + folder + [Substring(reference)]).joined(separator: "/")
}

func read(_ html: String, contentType: String? = "text/html; charset=utf-8") -> PageFacts {
  read(Array(html.utf8), contentType: contentType)
}

func read(_ body: [UInt8], contentType: String? = "text/html") -> PageFacts {
  PageReader().read(body, contentType: contentType, url: pageURL, resolve: resolve)
}

/// The bytes of a string of hexadecimal digits.
func bytes(hex: String) -> [UInt8] {
  let digits = hex.compactMap(\.hexDigitValue)
  return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) }
}
