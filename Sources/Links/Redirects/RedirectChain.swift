/// One job's walk along redirects: the rules only, the requests are the caller's.
public struct RedirectChain: Sendable {
  /// What the method of the next request is.
  public enum NextMethod: Hashable, Sendable {
    case same
    /// After 303. Only GET and HEAD are ever sent, so that 301 and 302 have no POST to turn into GET.
    case get
  }

  /// What to do with a response.
  public enum Decision: Hashable, Sendable {
    /// It is no redirect: the walk has arrived.
    case final
    /// Request this URL next; it is `current` already.
    case follow(WebURL, method: NextMethod)
    case failed(RedirectFault)
  }

  /// What makes two requests the same: servers do not see fragments. A hash that is the same in every process, so that
  /// a chain can be kept and continued elsewhere.
  public typealias Visit = UInt64

  /// The URL to request, or whose response ended the walk.
  public internal(set) var current: WebURL
  /// How many redirects were followed.
  public internal(set) var hops = 0
  public let maxHops: Int
  /// The requests so far, in order; there is one more of them than hops.
  public internal(set) var visits: [Visit]

  /// `stateToken` stands for what the first request carries besides its URL; see `answered`.
  public init(start: WebURL, maxHops: Int, stateToken: UInt64 = 0) {
    current = start
    self.maxHops = maxHops
    visits = [Self.visit(start, stateToken)]
  }

  /// The current URL was answered; `locations` are the values of all Location headers, in order.
  ///
  /// `stateToken` stands for what the next request will carry besides its URL, such as cookies: the same URL
  /// with another token is no loop.
  public mutating func answered(status: Int, locations: [String], stateToken: UInt64 = 0) -> Decision {
    answered(status: status, rawLocations: locations.map { Array($0.utf8) }, stateToken: stateToken)
  }

  /// The same for header bytes that need not be UTF-8.
  public mutating func answered(
    status: Int, rawLocations: [[UInt8]], stateToken: UInt64 = 0
  ) -> Decision {
    guard Self.isRedirect(status) else { return .final }
    let targets = rawLocations.map { Array($0.trimming { $0 <= .space }) }.filter { !$0.isEmpty }
    guard let target = targets.first else { return .failed(.missingTarget) }
    guard targets.allSatisfy({ $0 == target }) else { return .failed(.conflictingTargets) }
    let next: WebURL
    do throws(LinkError) {
      next = try WebURL(bytes: target, relativeTo: current).inheritingFragment(of: current)
    } catch {
      return .failed(Self.fault(error, target: target))
    }
    return follow(to: next, method: status == 303 ? .get : .same, stateToken: stateToken)
  }

  /// Counts a hop, unless it closes a loop or is one too many.
  mutating func follow(to next: WebURL, method: NextMethod, stateToken: UInt64) -> Decision {
    let visit = Self.visit(next, stateToken)
    guard !visits.contains(visit) else { return .failed(.loop(next)) }
    guard hops < maxHops else { return .failed(.tooMany(limit: maxHops)) }
    visits.append(visit)
    hops += 1
    current = next
    return .follow(next, method: method)
  }

  /// Whether a response with this status leads on, given a Location.
  public static func isRedirect(_ status: Int) -> Bool {
    switch status {
    case 301, 302, 303, 307, 308: true
    default: false
    }
  }

  private static func visit(_ url: WebURL, _ state: UInt64) -> Visit {
    var hash = StableHash()
    hash.add(url.requestURL)
    hash.add(url.userinfo)
    hash.add(state)
    return hash.value
  }

  private static func fault(_ error: LinkError, target: [UInt8]) -> RedirectFault {
    let shown = printableTarget(target)
    guard case .unsupportedScheme(let scheme) = error else {
      return .invalidTarget(target: shown, error)
    }
    return .unsupportedScheme(target: shown, scheme: scheme)
  }
}

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
