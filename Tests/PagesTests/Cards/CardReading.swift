import Pages

extension Card {
  var sources: [CardField: CardOrigin] {
    CardField.allCases.reduce(into: [:]) { sources, field in sources[field] = found(field)?.origin }
  }

  func pixels(_ field: CardField) -> Int? {
    if case .pixels(let number)? = found(field)?.value { number } else { nil }
  }

  func list(_ field: CardField) -> [String] {
    if case .list(let texts)? = found(field)?.value { texts } else { [] }
  }
}
