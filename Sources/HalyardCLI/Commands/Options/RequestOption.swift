import Pipeline

enum RequestOption {
  static let method = TypedOption<RequestMethod>.choice(
    OptionLabel(
      name: "method", placeholder: "METHOD", group: .requests,
      summary:
        "How to ask where no page is read: head is lighter, misses refreshes in pages, and asks once more with"
        + " get what refuses it"),
    default: .get)

  static let header = TypedOption<[String]>.lines(
    OptionLabel(
      name: "header", placeholder: "TEXT", group: .requests,
      summary:
        "Send 'Name: value' to the link's own site, but not to those it redirects to, or the headers that @FILE lists, one"
        + " a line; may be given again",
      fromEnvironment: true))

  static let cookie = TypedOption<[String]>.lines(
    OptionLabel(
      name: "cookie", placeholder: "TEXT", group: .requests,
      summary: "Send the cookie name=value, or those that @FILE lists, in the same way; may be given again",
      fromEnvironment: true))

  /// Belongs to the job, not to the fetcher: a fleet does it for each job that asks.
  static let oembed = TypedOption<Bool>.flag(
    OptionLabel(
      name: "oembed", group: .requests,
      summary:
        "Also ask the oEmbed endpoint that a page names, for card.embed and what its card lacks; the page counts without"
        + " it too, and card.embed_error says what was wrong with it",
      fromEnvironment: true),
    negatable: true)

  /// Options of the process that fetches.
  static let all = [method.spec, header.spec, cookie.spec]
}

enum RequestMethod: String, CaseIterable, Sendable {
  case get
  case head

  var method: FetchRequest.Method {
    switch self {
    case .get: .get
    case .head: .head
    }
  }
}
