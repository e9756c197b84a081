import JSONQuery
import Testing

@testable import Recipes

/// A server in memory that answers the calls of a run in any order.
struct ScriptedServer {
  /// What one address answers.
  enum Answer {
    case document(String, links: [String] = [])
    case failure(String)
  }

  /// Addresses without an answer fail as `http_status`.
  var answers: [String: Answer]
  /// Addresses in the order in which they were called.
  private(set) var called: [String] = []
  /// The places of the values whose calls ended, in the order in which they did.
  private(set) var ended: [Int] = []
  private(set) var forgotten: [CallID] = []
  /// Most calls that were open at once.
  private(set) var widest = 0
  /// What the run may take.
  var room = RunRoom()

  init(_ answers: [String: Answer]) { self.answers = answers }

  /// Runs to the end; without a seed calls end in the order in which they began.
  mutating func run(_ recipe: Recipe, _ arguments: [String] = [], seed: UInt64? = nil) throws -> RecipeOutcome
  {
    var random = SplitMix(state: seed ?? 0)
    var run = try RecipeRun(recipe, with: RecipeArguments(arguments, for: recipe), in: room)
    var open: [(id: CallID, url: String)] = []
    var outcome: RecipeOutcome?
    var orders = run.started()
    while true {
      for order in orders {
        #expect(outcome == nil, "an order follows the end")
        switch order {
        case .call(let id, let url):
          called.append(url)
          open.append((id, url))
        case .forget(let id, _):
          #expect(open.contains { $0.id == id }, "nobody called \(id)")
          forgotten.append(id)
          open.removeAll { $0.id == id }
        case .end(let end): outcome = end
        }
      }
      widest = max(widest, open.count)
      if let outcome, open.isEmpty { return outcome }
      let next = seed == nil ? 0 : Int.random(in: 0..<max(1, open.count), using: &random)
      let call = try #require(open.indices.contains(next) ? open[next] : nil, "nothing is under way")
      open.remove(at: next)
      ended.append(call.id.ordinal)
      orders = try end(call, of: recipe, &run)
      // What is told twice changes nothing.
      let again = try end(call, of: recipe, &run)
      #expect(again.isEmpty)
    }
  }

  private func end(
    _ call: (id: CallID, url: String), of recipe: Recipe, _ run: inout RecipeRun
  ) throws -> [RecipeOrder] {
    switch answers[call.url] {
    case nil: return run.callFailed(call.id, RecipeFailure(kind: "http_status", "404 from \(call.url)"))
    case .failure(let kind): return run.callFailed(call.id, RecipeFailure(kind: kind, "from \(call.url)"))
    case .document(let text, let links):
      let response = CallResponse(try json(text), from: call.url, links: links)
      do throws(RecipeFailure) {
        return run.callAnswered(call.id, try recipe.steps[call.id.step].reading.answer(from: response))
      } catch {
        return run.callFailed(call.id, error)
      }
    }
  }
}

extension RecipeOutcome {
  /// How each step ended, in a line.
  var endings: String {
    steps.map { step in
      switch step.ending {
      case .done: "\(step.name) done"
      case .skipped: "\(step.name) skipped"
      case .failed(let failure): "\(step.name) failed \(failure.kind)"
      case .cancelled(let cause): "\(step.name) cancelled by \(cause)"
      }
    }.joined(separator: ", ")
  }
}
