/// What a robots.txt says to one crawler (RFC 9309).
public struct RobotsRules: Sendable {
  /// Bytes of a file that are read; what follows is ignored.
  public static let capBytes = 500 << 10
  /// Octets compared for one link. Far beyond what honest rules need; hostile ones could cost hours, on the thread that fetches.
  static let mostSteps = 500_000

  private struct Rule {
    var pattern: RobotsPattern
    var allows: Bool
    var line: Int
  }

  /// The first one that matches is the one that counts.
  private let rules: [Rule]

  /// - Parameter isCut: The file goes on, so its last line may not be all of that line.
  public init(parsing file: [UInt8], isCut: Bool = false, for product: ProductToken) {
    rules = Self.rules(in: Self.whole(file, isCut: isCut), for: product).sorted { left, right in
      if left.pattern.length != right.pattern.length { return left.pattern.length > right.pattern.length }
      if left.allows != right.allows { return left.allows }
      return left.line < right.line
    }
  }

  public var count: Int { rules.count }

  /// About how many bytes of memory they take.
  public var weight: Int { rules.reduce(64) { $0 + $1.pattern.octets.count + 96 } }

  public func verdict(on url: WebURL) -> RobotsVerdict {
    guard !rules.isEmpty, url.path != "/robots.txt" else { return .allowed(by: nil) }
    let spellings = RobotsOctets.spellings(of: RobotsOctets.ofURL(url))
    var steps = Self.mostSteps
    for rule in rules {
      for path in spellings where rule.pattern.matches(path, steps: &steps) {
        let told = RobotsRule(allows: rule.allows, path: rule.pattern.text, line: rule.line)
        return rule.allows ? .allowed(by: told) : .refused(by: told)
      }
      if steps < 0 { return .tooMuchToCompare }
    }
    return .allowed(by: nil)
  }

  private static func whole(_ file: [UInt8], isCut: Bool) -> ArraySlice<UInt8> {
    let start = file.prefix(capBytes)
    guard isCut || start.count < file.count else { return start }
    return start[..<((start.lastIndex(where: \.endsLine) ?? -1) + 1)]
  }

  /// Those of all groups that name the product; only if there is none, those for all.
  private static func rules(in file: ArraySlice<UInt8>, for product: ProductToken) -> [Rule] {
    var (own, general): ([Rule], [Rule]) = ([], [])
    var (isOwn, isGeneral, isNamed) = (false, false, false)
    var namesFollow = false
    for record in RobotsLines(file) {
      switch record {
      case .userAgent(let name):
        if !namesFollow { (isOwn, isGeneral, namesFollow) = (false, false, true) }
        let isOurs = !product.octets.isEmpty && ProductToken.start(of: name) == product.octets
        isOwn = isOwn || isOurs
        isNamed = isNamed || isOurs
        isGeneral = isGeneral || name.elementsEqual(CollectionOfOne(UInt8.star))
      case .rule(let allows, let path, let line):
        namesFollow = false
        guard isOwn || isGeneral, !path.isEmpty else { continue }
        let rule = Rule(pattern: RobotsPattern(path), allows: allows, line: line)
        if isOwn { own.append(rule) }
        if isGeneral { general.append(rule) }
      }
    }
    return isNamed ? own : general
  }
}

/// Whether a link may be fetched.
public enum RobotsVerdict: Hashable, Sendable {
  /// Nil when no rule speaks of it.
  case allowed(by: RobotsRule?)
  case refused(by: RobotsRule)
  /// Not to be fetched, because the rules are not known in good time.
  case tooMuchToCompare
}

/// A rule as it stands in the file.
public struct RobotsRule: Hashable, Sendable {
  public let allows: Bool
  /// Percent-encoded.
  public let path: String
  /// From 1 up.
  public let line: Int
}

extension RobotsRule: CustomStringConvertible {
  /// `Disallow: /private`, cut when it is very long.
  public var description: String {
    let shown = path.utf8.count > 200 ? "\(path.prefix(200))…" : path
    return "\(allows ? "Allow" : "Disallow"): \(shown)"
  }
}

extension RobotsPattern {
  var text: String { String(decoding: octets, as: UTF8.self) + (endsThere ? "$" : "") }
}

/// The records of a robots.txt, line by line; anything that is no record is skipped.
struct RobotsLines: Sequence, IteratorProtocol {
  enum Record {
    /// The start of a name; empty for what no crawler is called.
    case userAgent(ArraySlice<UInt8>)
    case rule(allows: Bool, path: ArraySlice<UInt8>, line: Int)
  }

  private var rest: ArraySlice<UInt8>
  private var line = 0

  private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
  private static let userAgent = Array("user-agent".utf8)
  private static let allow = Array("allow".utf8)
  private static let disallow = Array("disallow".utf8)

  init(_ bytes: ArraySlice<UInt8>) {
    rest = bytes.starts(with: Self.mark) ? bytes.dropFirst(3) : bytes
  }

  mutating func next() -> Record? {
    while let text = nextLine() {
      if let record = Self.record(text, at: line) { return record }
    }
    return nil
  }

  /// Lines end with CR, LF, or both.
  private mutating func nextLine() -> ArraySlice<UInt8>? {
    guard !rest.isEmpty else { return nil }
    line += 1
    guard let end = rest.firstIndex(where: \.endsLine) else { return exchange(&rest, with: []) }
    let text = rest[..<end]
    let isReturn = rest[end] == .carriageReturn
    rest = rest[(end + 1)...]
    if isReturn, rest.first == .lineFeed { rest = rest.dropFirst() }
    return text
  }

  private static func record(_ text: ArraySlice<UInt8>, at line: Int) -> Record? {
    let text = text.prefix { $0 != .hash }
    guard let colon = text.firstIndex(of: .colon) else { return nil }
    let value = text[(colon + 1)...].trimmed
    return switch text[..<colon].trimmed.map(\.asciiLowercased) {
    case userAgent: .userAgent(value)
    case allow: .rule(allows: true, path: value, line: line)
    case disallow: .rule(allows: false, path: value, line: line)
    default: nil
    }
  }
}

extension UInt8 {
  var endsLine: Bool { self == .lineFeed || self == .carriageReturn }
}

extension ArraySlice<UInt8> {
  fileprivate var trimmed: ArraySlice<UInt8> {
    trimming { $0 == .space || $0 == .tab }
  }
}

/// Paths as robots.txt compares them (RFC 9309, 2.2.2): percent-encoded, but for what needs no encoding.
enum RobotsOctets {
  /// Reserved and unreserved characters, without the two that mean something in patterns.
  private static let plain = ByteSet(printableExcept: ##""%<>\^`{|}*$"##)
  /// What separates the parts of a URL; within a query it is often left as it is.
  private static let separators = Array(":/?#[]@".utf8)

  /// `*` is encoded, because in a URL it is no more than itself.
  static func ofURL(_ url: WebURL) -> [UInt8] {
    normalised(Array((url.path + (url.query.map { "?\($0)" } ?? "")).utf8), keepingStars: false)
  }

  static func ofPattern(_ text: some Collection<UInt8>) -> [UInt8] {
    normalised(Array(text), keepingStars: true)
  }

  /// The same once more with the separators of the query encoded, and with none of them, where that makes a
  /// difference: rules are written in either way.
  static func spellings(of path: [UInt8]) -> [[UInt8]] {
    guard let question = path.firstIndex(of: .question) else { return [path] }
    let query = path[(question + 1)...]
    var spellings = [path]
    for other in [encoded(query), decoded(query)] {
      let spelling = path[...question] + other
      if !spelling.elementsEqual(path) { spellings.append(Array(spelling)) }
    }
    return spellings
  }

  private static func normalised(_ text: [UInt8], keepingStars: Bool) -> [UInt8] {
    var octets: [UInt8] = []
    octets.reserveCapacity(text.count)
    var index = 0
    while index < text.count {
      if let octet = text.span.encodedByte(at: index) {
        if octet.isUnreserved { octets.append(octet) } else { octets.appendPercentEncoded(octet) }
        index += 3
        continue
      }
      let octet = text[index]
      if plain.contains(octet) || keepingStars && octet == .star {
        octets.append(octet)
      } else {
        octets.appendPercentEncoded(octet)
      }
      index += 1
    }
    return octets
  }

  private static func encoded(_ query: ArraySlice<UInt8>) -> [UInt8] {
    var octets: [UInt8] = []
    for octet in query {
      if separators.contains(octet) { octets.appendPercentEncoded(octet) } else { octets.append(octet) }
    }
    return octets
  }

  private static func decoded(_ query: ArraySlice<UInt8>) -> [UInt8] {
    var octets: [UInt8] = []
    var rest = query
    while let octet = rest.first {
      if let octet = rest.span.encodedByte(at: 0), separators.contains(octet) {
        octets.append(octet)
        rest = rest.dropFirst(3)
      } else {
        octets.append(octet)
        rest = rest.dropFirst()
      }
    }
    return octets
  }
}

extension UInt8 {
  static var star: UInt8 { 0x2A }
  static var dollar: UInt8 { 0x24 }
}

/// The path of a rule: a beginning, with `*` for any octets and a `$` at its end where paths must end too.
struct RobotsPattern: Sendable {
  /// With stars, without the last `$`.
  let octets: [UInt8]
  let endsThere: Bool

  init(_ text: some BidirectionalCollection<UInt8>) {
    endsThere = text.last == .dollar
    octets = RobotsOctets.ofPattern(endsThere ? Array(text.dropLast()) : Array(text))
  }

  /// The longer one of two patterns is the one that counts.
  var length: Int { octets.count + (endsThere ? 1 : 0) }

  /// Patterns can be made to cost time, so the caller says how much.
  ///
  /// - Parameter steps: Octets that may still be compared; below zero there is no answer.
  func matches(_ path: [UInt8], steps: inout Int) -> Bool {
    var (place, next) = (0, 0)
    var star: (next: Int, place: Int)?
    while steps >= 0 {
      steps -= 1
      if next == octets.count {
        if !endsThere || place == path.count { return true }
      } else if octets[next] == .star {
        next += 1
        star = (next, place)
        continue
      } else if place < path.count, octets[next] == path[place] {
        (place, next) = (place + 1, next + 1)
        continue
      }
      guard let last = star, last.place < path.count else { return false }
      star = (last.next, last.place + 1)
      (place, next) = (last.place + 1, last.next)
    }
    return false
  }
}

/// The name under which a robots.txt speaks to a crawler (RFC 9309, 2.2.1): letters, hyphens and underscores, without
/// case.
public struct ProductToken: Hashable, Sendable {
  /// In lower case; empty for one to which only the rules for all apply.
  let octets: [UInt8]

  /// The name within what is sent as User-Agent: how it begins or, as crawlers that pass for browsers write it, what
  /// stands behind `compatible;`.
  public init(userAgent: String) {
    let text = Array(userAgent.utf8)[...]
    let behind = text.behind(Array("compatible;".utf8)).map { $0.drop { $0 == .space } }
    let name = behind.map(Self.start) ?? []
    octets = name.isEmpty ? Self.start(of: text) : name
  }

  /// How a value begins; versions and whatever else follows do not count.
  static func start(of text: ArraySlice<UInt8>) -> [UInt8] {
    text.prefix { $0.isASCIILetter || $0 == .hyphen || $0 == UInt8(ascii: "_") }.map(\.asciiLowercased)
  }
}

extension ProductToken: CustomStringConvertible {
  public var description: String { String(decoding: octets, as: UTF8.self) }
}

extension ArraySlice<UInt8> {
  /// What follows the first occurrence of a text in lower case; nil without one.
  fileprivate func behind(_ text: [UInt8]) -> ArraySlice<UInt8>? {
    var rest = self
    while rest.count >= text.count {
      if rest.prefix(text.count).elementsEqual(text, by: { $0.asciiLowercased == $1 }) {
        return rest.dropFirst(text.count)
      }
      rest = rest.dropFirst()
    }
    return nil
  }
}
