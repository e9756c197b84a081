/// A query as a tree that can be written down and asked.
struct PlainQuery {
  var segments: [(isDescendant: Bool, selectors: [PlainSelector])]

  static func random(using random: inout SplitMix, depth: Int = 0, isSingular: Bool = false) -> PlainQuery {
    let count = random.below(depth == 0 ? 4 : 3)
    return PlainQuery(
      segments: (0..<count).map { _ in
        if isSingular { return (false, [.randomSingular(using: &random)]) }
        let selectors = (0...random.one(of: [0, 0, 0, 1, 2])).map { _ in
          PlainSelector.random(using: &random, depth: depth)
        }
        return (random.below(4) == 0, selectors)
      })
  }

  func select(from start: [PlainNode], root: PlainJSON) -> [PlainNode] {
    segments.reduce(start) { nodes, segment in
      nodes.flatMap { node in
        (segment.isDescendant ? node.descendants : [node]).flatMap { parent in
          segment.selectors.flatMap { $0.select(from: parent, root: root) }
        }
      }
    }
  }

  func text(isRelative: Bool, using random: inout SplitMix) -> String {
    segments.reduce(into: isRelative ? "@" : "$") { text, segment in
      text += random.one(of: ["", "", "", " ", "\n\t"])
      if segment.selectors.count == 1, let short = segment.selectors[0].shorthand, random.below(2) == 0 {
        text += (segment.isDescendant ? ".." : ".") + short
        return
      }
      let blank = random.one(of: ["", "", " ", "\r"])
      let selectors = segment.selectors.map { $0.text(using: &random) }
      text +=
        "\(segment.isDescendant ? ".." : "")[\(blank)\(selectors.joined(separator: "\(blank),"))\(blank)]"
    }
  }
}

enum PlainSelector {
  case name(String)
  case wildcard
  case index(Int)
  case slice(Int?, Int?, Int?)
  case filter(PlainTest)

  static func random(using random: inout SplitMix, depth: Int) -> PlainSelector {
    func bound() -> Int? { random.below(3) == 0 ? nil : random.below(13) - 6 }
    switch random.below(depth > 2 ? 6 : 9) {
    case 0, 1, 2: return randomSingular(using: &random)
    case 3, 4: return .wildcard
    case 5: return .slice(bound(), bound(), bound())
    default: return .filter(.random(using: &random, depth: depth + 1))
    }
  }

  static func randomSingular(using random: inout SplitMix) -> PlainSelector {
    random.below(3) == 0 ? .index(random.below(9) - 4) : .name(random.one(of: PlainJSON.names))
  }

  func select(from parent: PlainNode, root: PlainJSON) -> [PlainNode] {
    switch self {
    case .name(let name):
      guard case .object(let members) = parent.value else { return [] }
      return zip(members, parent.children).filter { $0.0.name == name }.map(\.1)
    case .wildcard: return parent.children
    case .index(let index):
      guard case .array(let elements) = parent.value else { return [] }
      let position = index < 0 ? elements.count + index : index
      return elements.indices.contains(position) ? [parent.children[position]] : []
    case .slice(let start, let end, let step):
      guard case .array = parent.value else { return [] }
      return slice(parent.children, start, end, step ?? 1)
    case .filter(let test): return parent.children.filter { test.holds(for: $0, root: root) }
    }
  }

  private func slice(_ all: [PlainNode], _ start: Int?, _ end: Int?, _ step: Int) -> [PlainNode] {
    func normal(_ index: Int) -> Int { index < 0 ? all.count + index : index }
    var chosen: [PlainNode] = []
    if step > 0 {
      for at in 0..<all.count where at >= normal(start ?? 0) && at < normal(end ?? all.count) {
        if (at - max(normal(start ?? 0), 0)) % step == 0 { chosen.append(all[at]) }
      }
    } else if step < 0 {
      let first = min(start.map(normal) ?? all.count - 1, all.count - 1)
      for at in (0..<all.count).reversed() where at <= first && at > (end.map(normal) ?? -1) {
        if (first - at) % -step == 0 { chosen.append(all[at]) }
      }
    }
    return chosen
  }

  /// What may stand behind a point.
  var shorthand: String? {
    switch self {
    case .name(let name): ["a", "b", "c", "é"].contains(name) ? name : nil
    case .wildcard: "*"
    case .index, .slice, .filter: nil
    }
  }

  func text(using random: inout SplitMix) -> String {
    switch self {
    case .name(let name):
      if random.below(2) == 0 { return PlainJSON.quoted(name) }
      return "'\(name.replacing("\\", with: "\\\\").replacing("'", with: "\\'"))'"
    case .wildcard: return "*"
    case .index(let index): return "\(index)"
    case .slice(let start, let end, let step):
      let front = "\(start.map(String.init) ?? "") :\(end.map(String.init) ?? "")"
      return step.map { "\(front): \($0)" } ?? front
    case .filter(let test): return "?\(test.text(using: &random))"
    }
  }
}
