import Pipeline
import Posix

/// Wakes waiting tasks at a moment. One task serves many waits: it is set anew only for an earlier moment.
struct Alarm {
  private var moment: Moment?
  private var task: Task<Void, Never>?

  mutating func set(for wanted: Moment, _ clock: any PipelineClock, waking watch: Watch) {
    if let moment, moment <= wanted, moment > clock.now { return }
    task?.cancel()
    moment = wanted
    task = Task {
      while clock.now < wanted {
        guard (try? await clock.sleep(until: wanted)) != nil else { return }
      }
      watch.wake()
    }
  }

  mutating func cancel() {
    task?.cancel()
    (moment, task) = (nil, nil)
  }
}
