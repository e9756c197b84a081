import TOML

/// Values as one line, for comparing.
func described(_ table: TOMLTable) -> String {
  "{" + table.members.map { "\($0.key)=\(described($0.value))" }.joined(separator: ",") + "}"
}

private func described(_ value: TOMLValue) -> String {
  switch value.content {
  case .string(let text): text.debugDescription
  case .integer(let number): "\(number)"
  case .float(let number): "f\(number)"
  case .boolean(let value): "\(value)"
  case .array(let values): "[" + values.map(described).joined(separator: ",") + "]"
  case .table(let table): described(table)
  }
}
