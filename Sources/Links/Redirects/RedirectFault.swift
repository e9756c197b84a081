/// Why a redirect cannot be followed; the response that sent it ends the walk.
public enum RedirectFault: Error, Hashable, Sendable {
  /// A redirect without a Location, or with an empty one.
  case missingTarget
  /// Several Location headers that differ.
  case conflictingTargets
  /// The walk came back to this URL in the same state, so it would never end.
  case loop(WebURL)
  case tooMany(limit: Int)
  /// The target is made fit for showing: without userinfo and control characters, and cut when long.
  case unsupportedScheme(target: String, scheme: String)
  /// The target is made fit for showing, as above.
  case invalidTarget(target: String, LinkError)

  /// One line for people.
  public var message: String {
    switch self {
    case .missingTarget: "the redirect has no Location"
    case .conflictingTargets: "the redirect has several Locations that differ"
    case .loop(let url): "the redirects lead back to \(url) and would never end"
    case .tooMany(let limit): "more than \(limit) redirects"
    case .unsupportedScheme(let target, _):
      "the redirect leads to '\(target)', and only http and https are supported"
    case .invalidTarget(let target, let error): "the redirect to '\(target)' is invalid: \(error.message)"
    }
  }
}

/// A link as it was written, made fit for messages and logs: without userinfo and control characters, cut when
/// long.
public func printableLink(_ text: String) -> String {
  printable(Array(text.utf8), longest: 1_024)
}

/// A hostile Location made fit for rows and logs.
func printableTarget(_ bytes: [UInt8]) -> String {
  printable(bytes, longest: 200)
}

/// Control characters are percent-encoded, as browsers write them.
private func printable(_ bytes: [UInt8], longest: Int) -> String {
  let shown = UserinfoFilter.shown(bytes.filter { !$0.isTabOrLineBreak })
  var text = String.UnicodeScalarView()
  for scalar in String(decoding: shown.prefix(4 * (longest + 1)), as: UTF8.self).unicodeScalars {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .format:
      var encoded: [UInt8] = []
      for byte in UTF8.encode(scalar) ?? .init() { encoded.appendPercentEncoded(byte) }
      text.append(contentsOf: String(decoding: encoded, as: UTF8.self).unicodeScalars)
    default: text.append(scalar)
    }
  }
  return text.count > longest ? String(text.prefix(longest)) + "…" : String(text)
}
