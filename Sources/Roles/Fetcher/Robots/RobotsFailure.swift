import Links
import Pipeline

extension Failure {
  /// A rule says no.
  static func robots(_ url: WebURL, rule: RobotsRule, in file: String) -> Failure {
    Failure(
      .robots, at: .address,
      "fetch \(url.href): line \(rule.line) of \(file) refuses it, '\(rule)'; ask its owner, or leave --respect-robots out"
    )
  }

  /// The rules are not known for now.
  static func robots(_ url: WebURL, unknown reason: String, milliseconds: Int64) -> Failure {
    Failure(
      .robots, at: .address,
      "fetch \(url.href): \(reason), so nothing there may be fetched; try again in \(max(1, milliseconds / 1_000)) s,"
        + " or leave --respect-robots out",
      retryable: true, retryAfterMilliseconds: milliseconds)
  }

  static func robots(_ url: WebURL, tooMuchIn file: String) -> Failure {
    Failure(
      .robots, at: .address,
      "fetch \(url.href): the rules of \(file) are too many for so long a link, so it is not fetched;"
        + " leave --respect-robots out to fetch it all the same")
  }
}

extension RobotsFinding {
  /// What came of it, in one line.
  var told: String {
    switch self {
    case .known(.rules(let rules), let time):
      "\(rules.count) \(rules.count == 1 ? "rule is" : "rules are") for us, and kept for \(time / 1_000) s"
    case .known(.noRules(let reason), _): "\(reason): all of it may be fetched"
    case .known(.unknown(let reason, _), _), .notNow(let reason, _): "\(reason): nothing there may be fetched"
    case .failed(let failure, _), .brokenOff(let failure, _): failure.message
    }
  }
}
