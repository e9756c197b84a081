enum OutputFormat: String, CaseIterable, Sendable {
  case jsonl
  case csv
  case tsv
  case table
}
