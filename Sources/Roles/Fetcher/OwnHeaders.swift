import Links
import Pipeline
import Recipes

/// What is for the link's own origin alone: its user name and password (RFC 7617), and the headers that the user gave; and
/// what is for some hosts alone.
///
/// What a redirect brings of its own is not used. Once a walk has been elsewhere, nothing of the link's own origin is sent
/// any more.
struct OwnHeaders {
  private let origin: Origin
  private let headers: [HeaderField]
  /// Goes everywhere: it is no secret, and a walk that begins with a short link ends elsewhere.
  private let language: HeaderField?
  private let hosts: HostRequests
  private var cookies = OwnCookies()
  private(set) var hasLeft: Bool
  /// What was sent is for one user alone.
  private(set) var isPrivate: Bool

  /// There is nothing that is for one origin or host alone.
  private var isEmpty: Bool { headers.isEmpty && hosts.headers.isEmpty }

  /// - Parameter continuation: Set where a walk goes on; what it sent before is not known any more.
  init(
    of link: WebURL, given: [HeaderField], language: HeaderField?, hosts: HostRequests,
    continuation: Continuation?
  ) {
    origin = link.origin
    self.language = language
    self.hosts = hosts
    hasLeft = continuation?.hasLeft ?? false
    isPrivate = !given.isEmpty || link.credentials != nil || continuation != nil && !hosts.headers.isEmpty
    guard !given.contains(where: { $0.name.lowercased() == "authorization" }),
      let (user, password) = link.credentials
    else {
      headers = given
      return
    }
    headers = given + [HeaderField("Authorization", "Basic \(base64(Array("\(user):\(password)".utf8)))")]
  }

  mutating func headers(for url: WebURL) -> [HeaderField] {
    if !headers.isEmpty, url.origin != origin { hasLeft = true }
    var sent = hasLeft ? [] : headers
    if let language {
      sent.removeAll { $0.isNamed(language.name) }
      sent.append(language)
    }
    if !hosts.isEmpty, hosts.apply(to: &sent, for: url, walkingFrom: origin.scheme) { isPrivate = true }
    return sent.isEmpty ? [] : sent.compactMap { cookies.header($0, for: url.host.description) }
  }

  /// - Parameter lines: What the site has set by way of cookies until now.
  mutating func yield(to lines: [String]) {
    guard !isEmpty else { return }
    cookies.yield(to: lines)
  }

  mutating func yield(to response: FetchResponse, from url: WebURL) {
    guard !isEmpty else { return }
    cookies.yield(to: response.cookies)
    cookies.yield(toRemovalsIn: response.values(of: "set-cookie"), of: url.host.description)
  }

  /// What is not sent any more, for the loop rule; 0 when all is.
  var token: UInt64 {
    guard hasLeft || !cookies.isEmpty else { return 0 }
    var hash = StableHash()
    hash.add(hasLeft ? 1 as UInt64 : 0)
    cookies.add(to: &hash)
    return hash.value
  }
}

extension FetcherSettings {
  /// All of the user's headers, those of the job in place of others of their names; but for a call that an answer led away
  /// from its recipe's site: none.
  func ownHeaders(for job: Job, at link: WebURL) throws(Failure) -> [HeaderField] {
    let jobs = try job.ownHeaders()
    let headers = ownHeaders.filter { header in !jobs.contains { $0.isNamed(header.name) } } + jobs
    guard !headers.isEmpty, let call = job.reading.call else { return headers }
    guard let home = (try? CallReading(call))?.home, let url = try? WebURL(home) else { return [] }
    return url.origin == link.origin ? headers : []
  }
}

extension Job {
  fileprivate func ownHeaders() throws(Failure) -> [HeaderField] {
    var fields: [HeaderField] = []
    for text in self.reading.headers {
      guard let field = OwnHeaderRule.field(text) else {
        throw Failure(
          .invalidInput, at: .input,
          "fetch \(self.input ?? ""): a header of the job cannot be sent; write NAME: VALUE, and leave out control characters"
        )
      }
      fields.append(field)
    }
    return fields
  }

  /// The header that asks for the job's language.
  func languageHeader() throws(Failure) -> HeaderField? {
    guard let language = self.reading.language else { return nil }
    guard LanguageList.isOne(language) else {
      throw Failure(
        .invalidInput, at: .input,
        "fetch \(self.input ?? ""): the language of the job \(LanguageList.complaint)")
    }
    return HeaderField("Accept-Language", language)
  }
}

/// The text form of RFC 4648, section 4.
private func base64(_ bytes: [UInt8]) -> String {
  let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
  var text = ""
  for start in stride(from: 0, to: bytes.count, by: 3) {
    let group = bytes[start..<min(start + 3, bytes.count)]
    let bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - group.count))
    for place in 0..<4 {
      text.append(place <= group.count ? digits[Int(bits >> UInt32(18 - 6 * place) & 0x3F)] : "=")
    }
  }
  return text
}

/// The cookies that the user gave: one that the site sets itself, or takes away, is not sent there any more.
struct OwnCookies {
  private struct Replaced: Hashable {
    var name: String
    /// It counts for this host and those below it.
    var domain: Substring
  }

  private var replaced: Set<Replaced> = []

  var isEmpty: Bool { replaced.isEmpty }

  /// - Parameter lines: What the site has set by now, in the form of Netscape's cookie file.
  mutating func yield(to lines: [String]) {
    for line in lines {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
      guard fields.count > Self.nameField else { continue }
      let domain =
        fields[0].hasPrefix(Self.hiddenMark) ? fields[0].dropFirst(Self.hiddenMark.count) : fields[0]
      replaced.insert(
        Replaced(
          name: String(fields[Self.nameField]), domain: domain.first == "." ? domain.dropFirst() : domain))
    }
  }

  /// A cookie that was never set by the site leaves no line where it is taken away.
  mutating func yield(toRemovalsIn setCookies: [String], of host: String) {
    for text in setCookies {
      let parts = text.split(separator: ";", omittingEmptySubsequences: false).map { $0.trimmed }
      let (name, value) = Self.pair(parts[0])
      let isOver = parts.dropFirst().contains { part in
        let (attribute, seconds) = Self.pair(part)
        return attribute.lowercased() == "max-age" && (Int(seconds) ?? 1) <= 0
      }
      if value.isEmpty || isOver {
        replaced.insert(Replaced(name: String(name), domain: Self.domain(of: host)))
      }
    }
  }

  /// The header without what was replaced on a host; nil when nothing is left.
  func header(_ header: HeaderField, for host: String) -> HeaderField? {
    guard header.isNamed("cookie"), !replaced.isEmpty else { return header }
    let host = Self.domain(of: host)
    let gone = Set(replaced.lazy.filter { host == $0.domain || host.hasSuffix(".\($0.domain)") }.map(\.name))
    let left = header.value.split(separator: ";").map { $0.trimmed }
      .filter { !gone.contains(String(Self.pair($0).name)) }
    return left.isEmpty ? nil : HeaderField(header.name, left.joined(separator: "; "))
  }

  func add(to hash: inout StableHash) {
    for entry in replaced.map({ "\($0.domain) \($0.name)" }).sorted() { hash.add(entry) }
  }

  private static let nameField = 5
  /// In front of the domain of a cookie that scripts do not see.
  private static let hiddenMark = "#HttpOnly_"

  /// IPv6 has no brackets there.
  private static func domain(of host: String) -> Substring {
    host.first == "[" ? host.dropFirst().dropLast() : host[...]
  }

  private static func pair(_ text: Substring) -> (name: Substring, value: Substring) {
    guard let equals = text.firstIndex(of: "=") else { return ("", text) }
    return (text[..<equals].trimmed, text[text.index(after: equals)...].trimmed)
  }
}

extension Substring {
  fileprivate var trimmed: Substring {
    trimming(while: \.isWhitespace)
  }
}
