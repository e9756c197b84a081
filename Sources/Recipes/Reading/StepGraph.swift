/// Which steps wait for which.
struct StepGraph {
  private let edges: [[Int]]

  /// - Parameter edges: For each step those it waits for.
  init(_ edges: [[Int]]) { self.edges = edges }

  /// Ways that lead from a step back to itself, the step at both ends, up to as many as are told; none when the steps can
  /// be put in an order.
  var circles: [[Int]] {
    var walk = Walk(edges: edges)
    for step in edges.indices { walk.visit(step) }
    return walk.circles
  }

  private struct Walk {
    let edges: [[Int]]
    var circles: [[Int]] = []
    private var path: [Int] = []
    private var isDone: [Bool]

    init(edges: [[Int]]) {
      self.edges = edges
      isDone = Array(repeating: false, count: edges.count)
    }

    mutating func visit(_ step: Int) {
      if let start = path.firstIndex(of: step) {
        circles.append(path[start...] + [step])
        return
      }
      guard !isDone[step], circles.count < RecipeLimits.problems else { return }
      path.append(step)
      for next in edges[step] { visit(next) }
      path.removeLast()
      isDone[step] = true
    }
  }
}
