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
