import Pages
import PipelineTesting
import Testing

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

/// Eight times as much may cost eight times the time, not sixty-four times: the best of some runs of each is compared.
///
/// - Parameter work: Prepares that much of it, and returns what is measured.
func expectLinearTime(
  from count: Int, location: SourceLocation = #_sourceLocation, _ work: (_ count: Int) -> () -> Void
) {
  let (small, large) = (work(count), work(count * 8))
  var best = (small: Duration.seconds(60), large: Duration.seconds(60))
  for _ in 0..<12 {
    best.small = min(best.small, processorTime(of: small))
    best.large = min(best.large, processorTime(of: large))
    if best.large <= best.small * 24 + .milliseconds(1) { return }
  }
  Issue.record("\(count): \(best.small), \(count * 8): \(best.large)", sourceLocation: location)
}
