import Pipeline

/// Single flight: jobs that ask for the same thing at the same time are done once, and the others get a copy.
struct Flights: Sendable {
  private var leaders: [Question: JobID] = [:]
  private var questions: [JobID: Question] = [:]
  private var passengers: [JobID: [JobID]] = [:]
  private(set) var passengerCount = 0

  var count: Int { max(leaders.count, questions.count, passengers.count) }

  /// - Returns: The job that is asking the same already; nil when this one does the asking from now on.
  mutating func board(_ job: Job) -> JobID? {
    guard let question = Question(job) else { return nil }
    if let leader = leaders[question] {
      passengers[leader, default: []].append(job.id)
      passengerCount += 1
      return leader
    }
    leaders[question] = job.id
    questions[job.id] = question
    return nil
  }

  func passengers(of leader: JobID) -> [JobID] {
    passengers[leader] ?? []
  }

  /// A passenger will not wait any longer.
  mutating func left(_ passenger: JobID, _ leader: JobID) {
    guard let place = passengers[leader]?.firstIndex(of: passenger) else { return }
    passengers[leader]?.remove(at: place)
    passengerCount -= 1
  }

  /// - Returns: The first passengers, who do not wait any longer.
  mutating func left(first count: Int, of leader: JobID) -> ArraySlice<JobID> {
    let gone = passengers[leader]?.prefix(count) ?? []
    passengers[leader]?.removeFirst(gone.count)
    passengerCount -= gone.count
    return gone
  }

  /// The flight is over; those who were on it.
  mutating func landed(_ leader: JobID) -> [JobID] {
    if let question = questions.removeValue(forKey: leader) { leaders[question] = nil }
    let landed = passengers.removeValue(forKey: leader) ?? []
    passengerCount -= landed.count
    return landed
  }
}
