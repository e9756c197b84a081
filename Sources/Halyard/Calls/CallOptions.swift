internal import Pipeline
internal import Roles

/// What is asked of one call alone.
///
/// ```swift
/// let page = try await client.title(link, options: CallOptions(deadline: .seconds(5), language: "de")).get()
/// ```
public struct CallOptions: Hashable, Sendable {
  /// Which of the calls that wait go first.
  public enum Priority: Int, CaseIterable, Comparable, Sendable {
    case low
    case normal
    case high

    /// By who goes first.
    public static func < (left: Priority, right: Priority) -> Bool { left.rawValue < right.rawValue }
  }

  /// The time for this call, all its attempts and pauses included, in place of that of the settings.
  public var deadline: Duration?
  /// Headers for the link's own site, such as `Authorization`, in place of those of the settings that have the same names. They
  /// are dropped where a redirect leaves that site. A call with headers is not cached, and a fleet's ledger keeps them as
  /// long as the call.
  public var headers: [String: String]
  /// The languages to ask all servers for, as `Accept-Language` has them, such as `de` or `pt-BR, pt;q=0.8`.
  public var language: String?
  /// Calls that wait in this client are handed on in the order of their priority. Those under way keep their places.
  public var priority: Priority

  /// Options; all that are not given are as in the settings.
  public init(
    deadline: Duration? = nil, headers: [String: String] = [:], language: String? = nil,
    priority: Priority = .normal
  ) {
    (self.deadline, self.headers, self.language, self.priority) = (deadline, headers, language, priority)
  }

  /// A job as it is asked for with these options. One that cannot be ends with what is wrong with it.
  func applied(to draft: JobDraft) -> JobDraft {
    var draft = draft
    if let problem {
      draft.refusal = Failure(.invalidInput, at: .input, "options: \(problem)")
      return draft
    }
    draft.deadlineMilliseconds = deadline?.wholeMilliseconds
    draft.reading.headers = headers.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
    draft.reading.language = language
    return draft
  }

  private var problem: String? {
    if let deadline, deadline.wholeMilliseconds <= 0 { return "deadline: it is not a millisecond" }
    if let language, !LanguageList.isOne(language) { return "language: it \(LanguageList.complaint)" }
    for (name, value) in headers.sorted(by: { $0.key < $1.key }) {
      if let problem = OwnHeaderRule.problem(of: name, value) { return "header '\(name)': \(problem)" }
    }
    return nil
  }
}

extension OwnHeaderRule {
  /// What is wrong with a header of the user's; nil when it can be sent.
  static func problem(of name: String, _ value: String) -> String? {
    guard isToken(name), isOneLine(value) else {
      return "it is not the name of a header, or its value has control characters"
    }
    return isReserved(name) ? "it is not for users to set" : nil
  }
}
