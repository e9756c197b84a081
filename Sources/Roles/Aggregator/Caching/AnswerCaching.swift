import Links
package import Pipeline
import Scheduling

/// Answers that are kept for later jobs: where, and for how long.
package struct AnswerCaching: Sendable {
  package var cache: any ResultCache
  package var rule: CacheRule
  /// Stands for all settings that change answers: those of other settings are not found.
  package var settings: UInt64

  package init(in cache: any ResultCache, for rule: CacheRule, settings: UInt64 = 0) {
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
