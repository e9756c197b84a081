import Links
import Pipeline
import Scheduling

/// What an origin's robots.txt lets us do there, as far as it is known.
enum RobotsAccess: Sendable {
  case rules(RobotsRules)
  /// There is none; why, for people.
  case noRules(String)
  /// It cannot be had, so nothing is fetched there before it is asked for again.
  case unknown(String, until: Moment)

  /// Bytes of memory, about.
  var weight: Int {
    switch self {
    case .rules(let rules): rules.weight
    case .noRules, .unknown: 200
    }
  }
}

/// What one walk to a robots.txt yielded.
enum RobotsFinding: Sendable {
  case known(RobotsAccess, forMilliseconds: Int64)
  /// The server has it, and does not give it now.
  case notNow(String, retryAfterMilliseconds: Int64?)
  /// The host was not reached; nil when it was not asked.
  case failed(Failure, host: String?)
  /// It was broken off for reasons of the job's own, which say nothing to others.
  case brokenOff(Failure, host: String?)
}

extension RobotsFinding {
  /// Longest and shortest time that a file is trusted (RFC 9309, 2.4).
  private static let aDay: Int64 = 24 * 3_600_000
  private static let aMinute: Int64 = 60_000

  /// What a final response means (RFC 9309, 2.3.1).
  init(_ response: FetchResponse, at url: String, for product: ProductToken, now: Moment) {
    let time = Self.lifetime(response.header("cache-control"))
    switch response.status {
    case 200..<300 where response.bodyFailure == nil:
      let isCut = response.body.count >= RobotsRules.capBytes
      if response.truncated, !isCut {
        self = .notNow("\(url) ended too early", retryAfterMilliseconds: nil)
      } else {
        let rules = RobotsRules(parsing: response.body, isCut: isCut, for: product)
        self = .known(.rules(rules), forMilliseconds: time)
      }
    case 429, 500..., ..<300:
      self = .notNow(
        response.bodyFailure?.message ?? "\(url) answered \(response.status)",
        retryAfterMilliseconds: response.header("retry-after").flatMap {
          RetryAfter.milliseconds($0, date: response.header("date"), at: now)
        })
    default: self = .known(.noRules("\(url) answered \(response.status)"), forMilliseconds: time)
    }
  }

  /// Redirects that lead nowhere are as good as no file.
  init(_ fault: RedirectFault, at url: String) {
    self = .known(.noRules("\(url): \(fault.message)"), forMilliseconds: Self.aDay)
  }

  private static func lifetime(_ control: String?) -> Int64 {
    for directive in (control ?? "").lowercased().split(separator: ",") {
      let words = directive.split(whereSeparator: { $0 == "=" || $0 == " " || $0 == "\t" || $0 == "\"" })
      if words.first == "no-store" || words.first == "no-cache" { return aMinute }
      guard words.count == 2, words[0] == "max-age", words[1].utf8.allSatisfy({ (48...57).contains($0) })
      else { continue }
      return max(aMinute, min(Int64(words[1]) ?? aDay, aDay / 1_000) * 1_000)
    }
    return aDay
  }
}
