import JSONQuery
import Links
public import Pipeline

/// Answers that are kept for whoever asks the same, where and for how long.
public struct ResultKeeping: Sendable {
  public var cache: any ResultCache
  public var rule: CacheRule
  /// Stands for all settings that change answers: those of other settings are not found.
  public var settings: UInt64

  public init(in cache: any ResultCache, for rule: CacheRule, settings: UInt64 = 0) {
    self.cache = cache
    self.rule = rule
    self.settings = settings
  }

  /// All that makes two jobs the same; nil for jobs whose answer is for one alone.
  func question(of job: Job) -> String? {
    guard job.kind != .echo, let link = try? Intake.link(of: job), link.credentials == nil else { return nil }
    let steps = job.slip.steps.map { String($0.rawValue) }.joined(separator: ".")
    let (wishes, select) = (wishes(job.reading), job.reading.select.map { "\n\($0)" } ?? "")
    return "\(job.kind.name) \(steps) \(settings)\(wishes)\n\(link.href)\(select)"
  }

  /// On one line, whatever the texts hold.
  private func wishes(_ reading: Reading) -> String {
    guard !reading.isPlain else { return "" }
    var line = JSONWriter()
    line.beginArray()
    line.bool(reading.unwraps)
    if reading.wantsEmbed { line.bool(true) }
    for text in reading.require { line.string(text) }
    line.endArray()
    return " " + String(decoding: line.bytes, as: UTF8.self)
  }
}
