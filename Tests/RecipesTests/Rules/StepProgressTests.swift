import Testing

@testable import Recipes

/// Which steps can start, given what has ended.
struct StepProgressTests {
  @Test func `a step starts when all that it waits for are done`() {
    var progress = StepProgress([[], [0], [0], [1, 2], []])
    #expect(progress.startable() == [0, 4])
    #expect(progress.startable() == [])
    progress.stepSucceeded(0)
    #expect(progress.startable() == [1, 2])
    progress.stepSucceeded(2)
    #expect(progress.startable() == [])
    progress.stepSucceeded(1)
    #expect(progress.startable() == [3])
    progress.stepSucceeded(3)
    #expect(!progress.isOver)
    progress.stepSucceeded(4)
    #expect(progress.isOver)
  }

  @Test func `a failure cancels what depends on it, however far away, and nothing else`() {
    var progress = StepProgress([[], [0], [1], [], [3, 2], [3]])
    _ = progress.startable()
    progress.stepFailed(0)
    #expect(
      progress.states
        == [
          .failed, .cancelled(because: 0), .cancelled(because: 0), .running, .cancelled(because: 0), .waiting,
        ])
    progress.stepSucceeded(3)
    #expect(progress.startable() == [5])
    progress.stepFailed(5)
    #expect(progress.isOver)
  }

  @Test func `what ends without having run, or twice, changes nothing`() {
    var progress = StepProgress([[], [0]])
    progress.stepSucceeded(0)
    progress.stepFailed(1)
    #expect(progress.states == [.waiting, .waiting])
    _ = progress.startable()
    progress.stepSucceeded(0)
    progress.stepFailed(0)
    #expect(progress.states == [.done, .waiting])
  }

  @Test(arguments: 0..<50)
  func `in any graph every step ends, after all that it waits for`(seed: UInt64) {
    var random = SplitMix(state: seed)
    let count = Int.random(in: 1...30, using: &random)
    let order = Array(0..<count).shuffled(using: &random)
    // Edges lead from later to earlier places of the order, so there is no circle.
    var dependencies = Array(repeating: [Int](), count: count)
    for place in order.indices {
      dependencies[order[place]] = order[..<place].filter { _ in Int.random(in: 0..<4, using: &random) == 0 }
    }
    #expect(StepGraph(dependencies).circles.isEmpty)
    var progress = StepProgress(dependencies)
    var running = progress.startable()
    var done: Set<Int> = []
    while let step = running.randomElement(using: &random) {
      running.removeAll { $0 == step }
      #expect(dependencies[step].allSatisfy(done.contains))
      if Int.random(in: 0..<8, using: &random) == 0 {
        progress.stepFailed(step)
      } else {
        progress.stepSucceeded(step)
        done.insert(step)
      }
      running += progress.startable()
    }
    #expect(progress.isOver)
    for (step, state) in progress.states.enumerated() {
      if case .cancelled(let cause) = state {
        #expect(progress.states[cause] == .failed)
        #expect(dependencies[step].contains { !done.contains($0) })
      }
    }
  }
}
