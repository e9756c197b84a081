import Pipeline
import Testing

struct FailureTests {
  /// What users may count and route by: names are added, never changed.
  private static let names = [
    "invalid_input", "missing_input", "unsupported_scheme", "blocked_address", "dns", "connect", "tls",
    "timeout", "http_status", "too_many_redirects", "redirect_loop", "missing_redirect_url",
    "header_too_large", "body_too_large", "protocol", "blocked", "robots", "not_html", "missing_page_title",
    "no_data", "data_parsing_failed", "decode_mismatch", "cancelled", "deadline", "poisoned", "underlying",
  ]
  private static let transient: Set<FailureKind> = [.connect, .timeout, .underlying]
  private static let dependent: Set<FailureKind> = [.dns, .httpStatus, .protocolError, .robots, .tls]

  @Test func `the list of kinds is closed`() {
    #expect(FailureKind.allCases.map(\.rawValue) == Self.names)
  }

  @Test(arguments: FailureKind.allCases, [true, false])
  func `the kind decides whether another attempt can help, unless it depends on the cause`(
    kind: FailureKind, wish: Bool
  ) {
    let failure = Failure(kind, at: .headers, "no", retryable: wish)
    if Self.transient.contains(kind) {
      #expect(failure.retryable)
    } else if Self.dependent.contains(kind) {
      #expect(failure.retryable == wish)
    } else {
      #expect(!failure.retryable)
    }
  }

  @Test func `what the user or the page did is never tried again`() {
    for kind in [FailureKind.invalidInput, .blockedAddress, .redirectLoop, .notHTML, .missingPageTitle] {
      #expect(kind.traits.retryClass == .never)
    }
  }
}

struct MomentTests {
  @Test func `moving a moment saturates at both ends`() {
    let last = Moment(unixMilliseconds: .max)
    let first = Moment(unixMilliseconds: .min)
    #expect(last.advanced(byMilliseconds: 1) == last)
    #expect(first.advanced(byMilliseconds: -1) == first)
    #expect(last.milliseconds(since: first) == .max)
    #expect(first.milliseconds(since: last) == .min)
    #expect(Moment(unixMilliseconds: 5).advanced(byMilliseconds: -7).unixMilliseconds == -2)
    #expect(Moment(unixMilliseconds: 5).milliseconds(since: Moment(unixMilliseconds: 9)) == -4)
  }
}
