import HTTPMessages
import HTTPServer
import LinkPreviews
import Links
import Pipeline
import Posix

/// Who may ask for what.
struct PreviewAccess: Sendable {
  private let hosts: HostRule
  /// nil where everybody may ask who reaches the service, which then is on this machine.
  private let tokens: Lock<AccessTokens?>
  private let tokenFile: String?
  /// Sites whose pages may read answers; `*` for all.
  private let origins: [String]
  let denied: DeniedHosts
  /// Whose X-Forwarded-For is believed.
  private let proxies: [TrustedProxy]

  var hasTokens: Bool { tokenFile != nil }

  /// Reads what the options name.
  init(_ arguments: ParsedArguments, at place: HTTPPlace) throws {
    var address: String?
    if case .tcp(let host, _) = place { address = host }
    hosts = HostRule(listeningAt: address, names: arguments[ServeOption.hostNames])
    origins = arguments[ServeOption.origins]
    if let other = origins.first(where: { $0 != "*" && !Self.isOrigin($0) }) {
      throw arguments.rejection(
        of: ServeOption.origins, "'\(other)' is no origin, such as https://chat.example.org, or '*' for all")
    }
    let lines = try ListFile.texts(of: ServeOption.denied.spec, arguments)
    do throws(DeniedHosts.Fault) {
      denied = try DeniedHosts(lines)
    } catch {
      throw arguments.rejection(of: ServeOption.denied, "'\(error.text)' is no host, such as example.org")
    }
    proxies = arguments[ServeOption.proxies]
    tokenFile = arguments[ServeOption.tokens]
    tokens = Lock(try tokenFile.map(Self.tokens))
    try arguments.require(
      hasTokens || place.isLocal, of: ServeOption.http,
      "others can reach it, so it needs a --token-file; or serve at 127.0.0.1 behind a proxy")
  }

  /// As browsers send it: scheme and host, and the port unless it is the usual one. Extensions and web views have schemes
  /// of their own; `null` comes from pages that have no origin.
  private static func isOrigin(_ text: String) -> Bool {
    if text.hasPrefix("http:") || text.hasPrefix("https:") {
      return (try? WebURL(text)).map { text == "\($0.scheme)://\($0.hostKey)" } ?? false
    }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count), parts[1].hasPrefix("//") else { return text == "null" }
    return isName(parts[0]) && isName(parts[1].dropFirst(2))
      && parts.dropFirst(2).allSatisfy { UInt16($0) != nil }
  }

  private static func isName(_ text: Substring) -> Bool {
    !text.isEmpty && text.allSatisfy { $0.isASCII && ($0.isLowercase || $0.isNumber || "+-._".contains($0)) }
  }

  /// Takes the tokens that the file has now; of a broken one nothing, so that those of before hold.
  func rereadTokens(telling log: StandardErrorLog) {
    guard let tokenFile else { return }
    do {
      // What they have asked for is forgotten: it counts by rates that may be others now.
      let new = try Self.tokens(in: tokenFile)
      tokens.withLock { $0 = new }
      log.announce(
        .info, "tokens read again", [LogField("file", tokenFile), LogField("tokens", new.holders.count)])
    } catch {
      log.announce(
        .error, "tokens not read again, all stays as it was",
        [LogField("file", tokenFile), LogField("cause", Reload.words(error))])
    }
  }

  private static func tokens(in file: String) throws -> AccessTokens {
    let text = try ListFile.content(of: file, SafeFile.readingSecret)
    do throws(AccessTokens.Fault) {
      return try AccessTokens(text)
    } catch {
      throw InputError(file, "line \(error.line): \(error.cause)")
    }
  }

  /// Before anything else is looked at.
  func admit(_ visit: inout PreviewVisit) throws(Problem) {
    let head = visit.head
    if !origins.isEmpty { visit.sharing = [("Vary", "Origin")] }
    // First, so that a page's script can read why it is refused, and when it may ask again.
    if let origin = head["origin"], origins.contains("*") || origins.contains(origin) {
      visit.isShared = true
      visit.sharing += [
        ("Access-Control-Allow-Origin", origin),
        ("Access-Control-Expose-Headers", "ETag, Retry-After, X-Request-Id"),
      ]
    }
    guard hosts.allows(head["host"]) else {
      throw Problem(
        "misdirected", 403,
        "this service is not known by the name in Host; its names are set with --host-name")
    }
    guard visit.isShared || CrossSiteRule.allows(head) else {
      throw Problem(
        "cross-site", 403, "a page of another site may not send this; allow its origin with --allow-origin")
    }
    guard hasTokens, !visit.route.isOpen, head.method != .options else { return }
    let given = Self.tokens(of: head)
    visit.holder = try tokens.withLock { (tokens) throws(Problem) in
      try tokens?.admit(given, at: Self.now)
    }
  }

  /// A link has to be fetched.
  func admitFetch(for question: PreviewQuestion, _ visit: PreviewVisit) throws(Problem) {
    let host = question.host
    do throws(Problem) {
      guard !denied.contains(host) else {
        throw Problem("denied-host", 403, "links of \(host) are not fetched here")
      }
      guard let holder = visit.holder else { return }
      try tokens.withLock { (tokens) throws(Problem) in
        try tokens?.admitFetch(of: "\(host)", for: holder, at: Self.now)
      }
    } catch {
      visit.counters.ended(.refused)
      throw error
    }
  }

  /// The address that asks, as far as it is known.
  func address(of client: Client, _ head: RequestHead) -> String {
    let peer = client.host ?? TrustedProxy.socketName
    guard isProxy(peer) else { return peer }
    // A trusted proxy added the last untrusted address; those before it are the client's own claims.
    let told = head.values("x-forwarded-for").joined(separator: ",").split(separator: ",").map {
      String($0).trimmingSpaces()
    }
    return told.last { !isProxy($0) } ?? peer
  }

  /// - Parameter peer: An address, or the name for a Unix socket.
  func isProxy(_ peer: String) -> Bool { proxies.contains { $0.isProxy(peer) } }

  private static var now: Milliseconds { SystemTime.monotonicMicroseconds / 1_000 }

  /// That one request may try.
  private static let mostTokens = 8

  /// Clients of iframely send it in the query, which may hold a link that is not encoded.
  private static func tokens(of head: RequestHead) -> [String] {
    if let words = head["authorization"]?.split(separator: " "), words.count == 2,
      words[0].lowercased() == "bearer"
    {
      return [String(words[1])]
    }
    let parts = (head.query ?? "").split(separator: "&").lazy.compactMap { part -> String? in
      let name = part.prefix { $0 != "=" }
      guard PreviewQuestion.tokenNames.contains(String(name)) else { return nil }
      return queryDecoded(part.dropFirst(name.count + 1).utf8)
    }
    return Array(parts.prefix(mostTokens))
  }
}
