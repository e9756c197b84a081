import Pipeline

enum RequestOption {
  static let method = Option<FetchRequest.Method>(
    "--method METHOD", .requests, .findings,
    .choice([.get, .head], { $0.rawValue.lowercased() }, default: .get),
    "How to ask where no page is read: head is lighter, misses refreshes in pages, and asks once more with"
      + " get what refuses it")

  static let header = Option<[String]>(
    "--header TEXT", .requests, [.variable, .findings, .secret], .lines,
    "Send 'Name: value' to the link's own site, but not to those it redirects to, or the headers that @FILE lists, one"
      + " a line; may be given again"
  ).forHosts("headers", OwnHeaderText.kind)

  static let cookie = Option<[String]>(
    "--cookie TEXT", .requests, [.variable, .findings, .secret], .lines,
    "Send the cookie name=value, or those that @FILE lists, in the same way; may be given again")

  /// Belongs to the job, like `oembed`.
  static let language = Option<String?>(
    "--language LANGUAGES", .requests, .variable,
    .text(checking(parsing({ LanguageList.isOne($0) ? $0 : nil }, otherwise: LanguageList.complaint))),
    "Ask every server for these languages, as Accept-Language has them: de, or 'pt-BR, pt;q=0.8'. Else each site"
      + " chooses")

  /// Belongs to the job, not to the fetcher: a fleet does it for each job that asks.
  static let oembed = Option<Bool>(
    "--[no-]oembed", .requests, .variable, .flag,
    "Also ask the oEmbed endpoint that a page names, or that a public registry knows for it, for card.embed and what its"
      + " card lacks; the page counts without it too, and card.embed_error says what was wrong with it")
}
