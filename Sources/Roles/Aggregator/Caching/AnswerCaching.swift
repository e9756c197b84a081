import Links
public import Pipeline
import Scheduling

/// Answers that are kept for later jobs: where, and for how long.
public struct AnswerCaching: Sendable {
  public var cache: any ResultCache
  public var rule: CacheRule
  /// Stands for all settings that change answers: those of other settings are not found.
  public var settings: UInt64

  public init(in cache: any ResultCache, for rule: CacheRule, settings: UInt64 = 0) {
    self.cache = cache
    self.rule = rule
    self.settings = settings
  }

  /// The key of a job's answer; nil for jobs whose answer is for one alone.
  func question(of job: Job) -> String? {
    guard let question = Question(job), question.link.credentials == nil else { return nil }
    return question.key(settings: settings)
  }
}
