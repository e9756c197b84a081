import Links
package import Pipeline

/// How long a server asks to be left in peace: seconds, or the date at which it is over (RFC 9110, 10.2.3).
package enum RetryAfter {
  /// - Parameters:
  ///   - text: The header's value.
  ///   - date: The response's own date: a server's clock may be wrong, and then so is what it asks for.
  /// - Returns: Milliseconds, at most what `RetryRule` waits; nil when the text is neither form.
  package static func milliseconds(_ text: String, date: String? = nil, at now: Moment) -> Int64? {
    let value = text.trimmingWhitespace
    if !value.isEmpty, value.utf8.allSatisfy({ (48...57).contains($0) }) {
      let seconds = Int64(value) ?? .max
      return min(seconds, RetryRule.longestWaitMilliseconds / 1_000) * 1_000
    }
    guard let until = HTTPDate.moment(value, at: now) else { return nil }
    let sentAt = date.flatMap { HTTPDate.moment($0.trimmingWhitespace, at: now) } ?? now
    return min(max(0, until.milliseconds(since: sentAt)), RetryRule.longestWaitMilliseconds)
  }
}

extension String {
  fileprivate var trimmingWhitespace: String {
    String(trimming { $0 == " " || $0 == "\t" })
  }
}
