import Links

/// The first line is a path, the rest a robots.txt.
@Sendable func checkRobots(_ bytes: [UInt8]) {
  let lines = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
  let file = lines.count > 1 ? Array(lines[1]) : []
  guard let link = try? WebURL(bytes: Array("http://h/".utf8) + lines[0]) else { return }
  for agent in ["halyard/1", "", "b"] {
    let product = ProductToken(userAgent: agent)
    let rules = RobotsRules(parsing: file, isCut: bytes.count % 2 == 0, for: product)
    let rule: RobotsRule
    switch rules.verdict(on: link) {
    case .allowed(nil), .tooMuchToCompare: continue
    case .allowed(let allowing?): rule = allowing
    case .refused(let refusing): rule = refusing
    }
    require(rule.line > 0 && rule.line <= file.count, "line \(rule.line) of a file of \(file.count) bytes")
    let whole = "User-agent: *\n\(rule.allows ? "Allow" : "Disallow"): \(rule.path)"
    let alone = RobotsRules(parsing: Array(whole.utf8), for: product).verdict(on: link)
    switch alone {
    case .allowed(let other?), .refused(let other):
      require(other.path == rule.path && other.allows == rule.allows, "\(rule) became \(other)")
    case .allowed(nil), .tooMuchToCompare: fatalError("\(rule) says nothing by itself")
    }
  }
}
