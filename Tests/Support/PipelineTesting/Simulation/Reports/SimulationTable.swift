/// What came out of many seeds, by scenario.
package struct SimulationTable: CustomStringConvertible {
  private struct Line {
    var seeds = 0
    var failed = 0
    var jobs = 0
    var attempts = 0
    var repeated = 0
    var crashes = 0
    var blamed = 0
  }

  private var lines: [(name: String, line: Line)] = []

  package init(_ reports: [SimulationReport]) {
    for scenario in SimulationScenario.all {
      var line = Line()
      for report in reports where report.scenario == scenario.name {
        line.seeds += 1
        line.failed += report.problems.isEmpty ? 0 : 1
        line.jobs += report.jobs
        line.attempts += report.attempts
        line.repeated += report.repeated
        line.crashes += report.crashes
        line.blamed += report.blamed
      }
      lines.append((scenario.name, line))
    }
  }

  package var description: String {
    let head = row("scenario", ["seeds", "failed", "jobs", "attempts", "repeated", "crashes", "blamed"])
    return ([head] + lines.map { row($0.name, cells(of: $0.line)) }).joined(separator: "\n")
  }

  private func cells(of line: Line) -> [String] {
    let share = line.attempts == 0 ? 0 : line.repeated * 1_000 / line.attempts
    return [
      "\(line.seeds)", "\(line.failed)", "\(line.jobs)", "\(line.attempts)", "\(share / 10).\(share % 10) %",
      "\(line.crashes)", "\(line.blamed)",
    ]
  }

  private func row(_ name: String, _ cells: [String]) -> String {
    let padded = cells.map { String(repeating: " ", count: max(1, 10 - $0.count)) + $0 }
    return name + String(repeating: " ", count: max(1, 18 - name.count)) + padded.joined()
  }
}
