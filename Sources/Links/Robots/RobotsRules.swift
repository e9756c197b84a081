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
