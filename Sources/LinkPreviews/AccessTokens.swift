package import HTTPMessages
package import Links

/// Who may ask, and how much: one line for each, `NAME TOKEN [rate=N] [per-host=N]`; and what they asked for lately.
package struct AccessTokens: Sendable {
  package struct Holder: Hashable, Sendable {
    package var name: String
    /// Requests a second; ten times as many may come at once.
    package var perSecond = 20.0
    /// Links of one host that are fetched a minute for it.
    package var perHostAndMinute = 60.0
    fileprivate var secret: [UInt8]
  }

  /// What is wrong with a line.
  package struct Fault: Error, Hashable, Sendable {
    package var line: Int
    package var cause: String
  }

  private struct Count: Hashable {
    var name: String
    /// nil for all requests of the holder.
    var host: String?
  }

  package let holders: [Holder]
  private var buckets: [Count: TokenBucket] = [:]
  private static let shortest = 16
  private static let rates = 0.001...1_000_000
  /// With more, those are forgotten that say no more than new ones.
  private static let mostBuckets = 10_000

  package init(_ text: String) throws(Fault) {
    var holders: [Holder] = []
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let words = line.split { $0 == " " || $0 == "\t" || $0 == "\r" }
      guard let name = words.first, !name.hasPrefix("#") else { continue }
      func fault(_ cause: String) -> Fault { Fault(line: index + 1, cause: cause) }
      guard words.count > 1, words[1].utf8.count >= Self.shortest else {
        throw fault("a name and a token of \(Self.shortest) characters or more are needed")
      }
      guard !holders.contains(where: { $0.name == name }) else {
        throw fault("'\(name)' has a token already")
      }
      var holder = Holder(name: String(name), secret: Array(words[1].utf8))
      for word in words.dropFirst(2) {
        let parts = word.split(separator: "=")
        switch (parts.first, parts.last.flatMap { Double($0) }) {
        case ("rate"?, let number?) where Self.rates.contains(number): holder.perSecond = number
        case ("per-host"?, let number?) where Self.rates.contains(number): holder.perHostAndMinute = number
        default: throw fault("'\(word)' is not rate=N or per-host=N, with N from 0.001 to 1000000")
        }
      }
      holders.append(holder)
    }
    self.holders = holders
  }

  /// Takes as long for a wrong token as for a right one.
  package func holder(of token: String) -> Holder? {
    let given = Array(token.utf8)
    var found: Holder?
    for holder in holders {
      var difference = UInt(bitPattern: given.count ^ holder.secret.count)
      for (index, byte) in holder.secret.enumerated() {
        difference |= UInt(byte ^ (index < given.count ? given[index] : 0))
      }
      if difference == 0 { found = holder }
    }
    return found
  }

  /// Who asks.
  ///
  /// - Parameter tokens: One of them may be meant for another: links can have a `key` of their own.
  package mutating func admit(_ tokens: [String], at now: Milliseconds) throws(Problem) -> Holder {
    guard !tokens.isEmpty else {
      throw Problem("unauthorized", 401, "a token is needed, as Authorization: Bearer TOKEN")
    }
    guard let holder = tokens.lazy.compactMap(holder).first else {
      throw Problem("unauthorized", 401, "the token is not known")
    }
    let new = TokenBucket(burst: Int(10 * holder.perSecond), perSecond: holder.perSecond, at: now)
    let excess = "sends more requests than \(Self.shown(holder.perSecond)) a second"
    try take(Count(name: holder.name), new, at: now, excess)
    return holder
  }

  /// A link of the host is to be fetched for a holder.
  package mutating func admitFetch(
    of host: String, for holder: Holder, at now: Milliseconds
  ) throws(Problem) {
    let most = holder.perHostAndMinute
    let new = TokenBucket(burst: Int(most), perSecond: most / 60, at: now)
    let excess = "wants more links of \(host) than \(Self.shown(most)) a minute"
    try take(Count(name: holder.name, host: host), new, at: now, excess)
  }

  private static func shown(_ rate: Double) -> String { Int(exactly: rate).map(String.init) ?? "\(rate)" }

  private mutating func take(
    _ count: Count, _ new: TokenBucket, at now: Milliseconds, _ excess: String
  ) throws(Problem) {
    if buckets.count >= Self.mostBuckets { buckets = buckets.filter { !$0.value.isFull(at: now) } }
    guard let seconds = buckets[count, default: new].take(at: now) else { return }
    throw Problem(
      "too-many-requests", 429, "\(count.name) \(excess)", isRetryable: true, retryAfter: seconds)
  }
}

/// Hosts of which nothing is fetched: a name with all that end in it, or an address.
package struct DeniedHosts: Sendable {
  /// A line that names no host.
  package struct Fault: Error, Hashable, Sendable {
    package var text: String
  }

  package let names: Set<String>

  /// - Parameter lines: One host each; empty ones and those that begin with `#` are none.
  package init(_ lines: some Sequence<String>) throws(Fault) {
    var names: Set<String> = []
    for line in lines where !line.isEmpty && !line.hasPrefix("#") { names.insert(try Self.name(in: line)) }
    self.names = names
  }

  /// As URLs have it.
  private static func name(in line: String) throws(Fault) -> String {
    if let address = IPAddress(line) { return "\(Host.address(address))" }
    let name = line.hasPrefix(".") ? line.dropFirst() : line[...]
    // A usual port would not show in the URL.
    guard name.hasPrefix("[") || !name.contains(":"), let url = try? WebURL("http://\(name)/"),
      url.path == "/",
      url.query == nil, url.fragment == nil, url.hostKey == "\(url.host)", url.credentials == nil
    else { throw Fault(text: line) }
    return withoutFinalDot("\(url.host)")
  }

  private static func withoutFinalDot(_ name: String) -> String {
    name.hasSuffix(".") ? String(name.dropLast()) : name
  }

  package func contains(_ host: Host) -> Bool {
    var name = Self.withoutFinalDot("\(host)")[...]
    while !names.contains(String(name)) {
      guard case .domain = host, let dot = name.firstIndex(of: ".") else { return false }
      name = name[name.index(after: dot)...]
    }
    return true
  }
}
