import Links
import Pipeline
import Roles

@testable import HalyardCLI

/// A link of a document in one line: `2:7 https://a.test/ text`.
func links(_ text: String, as format: InputFormat, base: String? = nil) -> [String] {
  var plan = InputPlan([.file("notes")], format: format)
  plan.base = base.flatMap { try? WebURL($0) }
  var lines: [String] = []
  do throws(InputError) {
    var source = JobSource(plan, of: [ScriptedSource([Array(text.utf8)])])
    while case let jobs = try source.nextBurst(limit: 3), !jobs.isEmpty { lines += jobs.map(shown) }
  } catch {
    lines.append(error.problem)
  }
  return lines
}

private func shown(_ job: JobDraft) -> String {
  let place = job.origin.map { "\($0.line):\($0.column)" } ?? "nowhere"
  let problem = job.refusal.map { " !\($0.message)" } ?? ""
  return "\(place) \(job.isRelative ? "relative " : "")\(job.input ?? "")"
    + (job.origin?.text.map { " \($0)" } ?? "") + problem
}
