import Pipeline
import Posix
import Roles

/// The jobs of a simulation, and what each may end with.
struct SimulatedJobs: Sendable {
  struct Entry: Sendable {
    var draft: JobDraft
    /// nil when the input is no link.
    var link: SimulatedLink?
    /// nil when it is no run.
    var run: SimulatedRun?
  }

  var entries: [Entry] = []

  init(_ scenario: SimulationScenario, chance: SimulatedChance) {
    for number in 0..<(20 + chance.below(41)) {
      var draft: JobDraft
      if let known = chance.element(of: entries), chance.happens(0.12) {
        var equal = known.draft
        equal.ref = "r\(number)"
        entries.append(Entry(draft: equal, link: known.link, run: known.run))
        continue
      }
      if chance.happens(0.05) {
        draft = JobDraft(kind: .echo, input: "http://echo.test/\(number)", ref: "r\(number)")
        entries.append(Entry(draft: draft, link: nil))
        continue
      }
      if chance.happens(0.08) {
        let run = SimulatedRun(number, chance: chance)
        entries.append(Entry(draft: run.draft, link: nil, run: run))
        continue
      }
      var link = Self.link(scenario, chance)
      // A few of them are enough: each takes megabytes.
      if link == .brim, entries.contains(where: { $0.link == .brim }) { link = .noted }
      let mayUnfurl = link != .venom && link != .long
      let kind: JobKind = link == .data ? .decode : chance.happens(0.3) && mayUnfurl ? .unfurl : .title
      var url = link.url(number, host: chance.below(scenario.isCrowded ? 2 : SimulatedLink.hosts))
      if link == .missing || link == .down { url += "/" + String(repeating: "x", count: 20_000) }
      draft = JobDraft(kind: kind, input: url, ref: "r\(number)")
      if link == .bulky { draft.kept = [Self.bulk(Job.mostBytes)] }
      if link == .brim { draft.kept = [Self.bulk(Self.room(of: draft))] }
      draft.reading.wantsEmbed = kind == .title && link == .turning
      entries.append(Entry(draft: draft, link: link))
    }
  }

  private static func bulk(_ count: Int) -> KeptColumn {
    KeptColumn("bulk", String(repeating: "x", count: count))
  }

  /// What a column may hold besides; an equal job has another ref.
  private static func room(of draft: JobDraft) -> Int {
    var full = draft
    full.ref = "r99"
    let nearly = Job.mostBytes - 10_000
    full.kept = [bulk(nearly)]
    let job = full.job(
      of: BatchID(UUIDv7(high: 0, low: 0)), ordinal: 100_000, deadline: SimulatedLoop.start)
    return Job.mostBytes - (JobRecord.bytes(of: job) - nearly)
  }

  private static func link(_ scenario: SimulationScenario, _ chance: SimulatedChance) -> SimulatedLink {
    if chance.happens(0.002) { return .bulky }
    let dice = chance.below(100)
    if dice < scenario.poisonous { return .poison }
    if dice < scenario.poisonous + scenario.venomous { return .venom }
    if chance.below(100) < scenario.wordy {
      return chance.element(of: [.brim, .long, .long, .noted, .noted, .noted, .missing]) ?? .noted
    }
    if scenario.isCrowded { return chance.happens(0.7) ? .abroad : .page }
    if dice < scenario.poisonous + scenario.venomous + scenario.turning { return .turning }
    let usual: [SimulatedLink] = [
      .page, .page, .page, .page, .page, .slow, .moved, .abroad, .abroad, .flaky, .busy, .down, .missing,
      .data, .data, .long, .noted,
    ]
    return chance.element(of: usual) ?? .page
  }

  /// What a job of this kind ends with when nothing goes wrong around it; nil is ok.
  static func end(of link: SimulatedLink?) -> FailureKind? {
    switch link {
    case .page, .slow, .moved, .abroad, .turning, .turned, .embed, .flaky, .busy, .data, .list, .counted,
      .value,
      .lasting, .wobbly, .noted, .brim, nil:
      nil
    case .absent, .long: .httpStatus
    case .bulky: .invalidInput
    case .down: .connect
    case .missing: .dns
    case .poison, .venom: .poisoned
    }
  }
}

/// Hands jobs out a few at a time.
final class SimulatedFeed: JobFeed {
  private let drafts: [JobDraft]
  private let position = Lock(0)
  private let chance: SimulatedChance
  private let clock: SimulatedClock

  init(_ drafts: [JobDraft], chance: SimulatedChance, clock: SimulatedClock) {
    self.drafts = drafts
    self.chance = chance
    self.clock = clock
  }

  func next(atMost limit: Int) async throws -> [JobDraft]? {
    if chance.happens(0.3) {
      try await clock.sleep(until: clock.now.advanced(byMilliseconds: chance.within(0...500)))
    }
    let count = min(limit, 1 + chance.below(15))
    return position.withLock { position in
      guard position < drafts.count else { return nil }
      defer { position = min(position + count, drafts.count) }
      return Array(drafts[position..<min(position + count, drafts.count)])
    }
  }
}
