import Testing

@testable import Recipes

/// What becomes of many calls.
struct GatheringTests {
  struct Row: CustomTestStringConvertible, Sendable {
    var policy: GatherPolicy
    var order: GatherOrder
    var total: Int
    /// Calls in the order in which they end; a minus stands before those that fail.
    var ends: [String]
    var verdict: String

    var testDescription: String { "\(policy) \(order) \(total): \(ends)" }
  }

  /// The verdict, and how many ends it took.
  private func verdict(of row: Row) -> String {
    var gathering = Gathering<String>(row.total, order: row.order, policy: row.policy)
    var verdicts = [gathering.started()]
    for end in row.ends {
      let ordinal = Int(end.drop { $0 == "-" }) ?? 0
      verdicts.append(
        gathering.callEnded(
          ordinal, end.first == "-" ? .failure(RecipeFailure(kind: "x", end)) : .success("v\(ordinal)")))
    }
    return verdicts.enumerated().compactMap { count, verdict in
      switch verdict {
      case .open: nil
      case .complete(let outputs, let failures):
        "\(count): " + (outputs + failures.map(\.failure.message)).joined(separator: " ")
      case .failed(let failure): "\(count): failed \(failure.message)"
      }
    }.joined(separator: "; ")
  }

  @Test(arguments: [
    Row(policy: .all, order: .source, total: 3, ends: ["2", "0", "1"], verdict: "3: v0 v1 v2"),
    Row(policy: .all, order: .completion, total: 3, ends: ["2", "0", "1"], verdict: "3: v2 v0 v1"),
    Row(policy: .all, order: .source, total: 3, ends: ["2", "-0", "1", "-1"], verdict: "2: failed -0"),
    Row(policy: .all, order: .source, total: 0, ends: ["0"], verdict: "0: "),
    Row(policy: .all, order: .source, total: 2, ends: ["0", "0", "-0", "7", "1"], verdict: "5: v0 v1"),
    Row(policy: .all, order: .source, total: 2, ends: ["0"], verdict: ""),
    Row(policy: .settled, order: .source, total: 4, ends: ["3", "-2", "-1", "0"], verdict: "4: v0 v3 -1 -2"),
    Row(
      policy: .settled, order: .completion, total: 4, ends: ["3", "-2", "-1", "0"], verdict: "4: v3 v0 -2 -1"),
    Row(policy: .settled, order: .source, total: 2, ends: ["-0", "-1"], verdict: "2: -0 -1"),
    Row(policy: .settled, order: .source, total: 0, ends: [], verdict: "0: "),
    Row(policy: .first, order: .source, total: 3, ends: ["-1", "2", "0"], verdict: "2: v2 -1"),
    Row(policy: .first, order: .source, total: 2, ends: ["-1", "-0"], verdict: "2: failed -0"),
    Row(policy: .first, order: .completion, total: 2, ends: ["-1", "-0"], verdict: "2: failed -1"),
    Row(policy: .first, order: .source, total: 0, ends: [], verdict: "0: failed there is nothing to run for"),
  ])
  func `outputs are complete once`(row: Row) {
    #expect(verdict(of: row) == row.verdict)
  }

  @Test func `however calls end, the outputs of all are in the order of their source`() {
    var random = SplitMix(state: 6)
    for total in 1...40 {
      let shuffled = (0..<total).map(String.init).shuffled(using: &random)
      let row = Row(policy: .all, order: .source, total: total, ends: shuffled, verdict: "")
      #expect(verdict(of: row) == "\(total): " + (0..<total).map { "v\($0)" }.joined(separator: " "))
    }
  }
}
