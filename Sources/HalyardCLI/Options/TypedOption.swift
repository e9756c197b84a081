/// An option together with the Swift type of its value and its default, so that each is written once.
struct TypedOption<Value: Sendable>: Sendable {
  let spec: OptionSpec
  /// The value when neither the command line nor the environment gives one.
  let fallback: Value
  let read: @Sendable (OptionValue) -> Value?
}

/// What an option's table row says besides its kind and value.
struct OptionLabel: Sendable {
  var name: String
  var short: Character?
  var placeholder = ""
  var group: OptionGroup
  var summary: String
  var fromEnvironment = false

  fileprivate func spec(_ kind: OptionKind, default defaultText: String? = nil) -> OptionSpec {
    OptionSpec(
      name: name, short: short, kind: kind, placeholder: placeholder, summary: summary,
      defaultText: defaultText, group: group, fromEnvironment: fromEnvironment)
  }
}

extension TypedOption where Value == Bool {
  static func flag(_ label: OptionLabel, negatable: Bool) -> Self {
    Self(spec: label.spec(.flag(negatable: negatable)), fallback: false) { $0.flag }
  }
}

extension TypedOption where Value == String? {
  static func text(_ label: OptionLabel) -> Self {
    Self(spec: label.spec(.text), fallback: nil) { $0.text }
  }

  static func selector(_ label: OptionLabel) -> Self {
    Self(spec: label.spec(.selector), fallback: nil) { $0.text }
  }
}

extension TypedOption where Value == String {
  static func text(_ label: OptionLabel, default fallback: String) -> Self {
    Self(spec: label.spec(.text, default: fallback), fallback: fallback) { $0.text }
  }
}

extension TypedOption where Value == [String] {
  static func names(_ label: OptionLabel) -> Self {
    Self(spec: label.spec(.names), fallback: []) { $0.list }
  }

  static func requirements(_ label: OptionLabel) -> Self {
    Self(spec: label.spec(.requirements), fallback: []) { $0.list }
  }

  static func repeated(_ label: OptionLabel) -> Self {
    Self(spec: label.spec(.repeated), fallback: []) { $0.list }
  }

  static func lines(_ label: OptionLabel) -> Self {
    Self(spec: label.spec(.lines), fallback: []) { $0.list }
  }
}

extension TypedOption where Value == Int {
  static func integer(_ label: OptionLabel, default fallback: Int, in range: ClosedRange<Int64>) -> Self {
    Self(spec: label.spec(.integer(range), default: "\(fallback)"), fallback: fallback) {
      $0.number.flatMap(Int.init(exactly:))
    }
  }

  /// The value counts hundredths.
  static func percent(_ label: OptionLabel, default fallback: Int, in range: ClosedRange<Int64>) -> Self {
    Self(spec: label.spec(.percent(range), default: "\(fallback)%"), fallback: fallback) {
      $0.number.flatMap(Int.init(exactly:))
    }
  }

  /// The value counts bytes.
  static func byteSize(_ label: OptionLabel, default fallback: Int, in range: ClosedRange<Int64>) -> Self {
    let defaultText = Quantity.byteSize(Int64(fallback))
    return Self(spec: label.spec(.byteSize(range), default: defaultText), fallback: fallback) {
      $0.number.flatMap(Int.init(exactly:))
    }
  }
}

extension TypedOption where Value == Int64 {
  /// The value counts milliseconds.
  static func duration(
    _ label: OptionLabel, default fallback: Int64, shownAs text: String? = nil, in range: ClosedRange<Int64>
  ) -> Self {
    Self(
      spec: label.spec(.duration(range), default: text ?? Quantity.duration(fallback)), fallback: fallback
    ) { $0.number }
  }
}

extension TypedOption where Value == Int? {
  /// nil is `never`.
  static func integerOrNever(
    _ label: OptionLabel, default fallback: Int, in range: ClosedRange<Int64>
  ) -> Self {
    Self(spec: label.spec(.integerOrNever(range), default: "\(fallback)"), fallback: fallback) { value in
      value.text == OptionKind.never ? .some(nil) : value.number.flatMap(Int.init(exactly:))
    }
  }
}

extension TypedOption where Value == Int? {
  /// nil means what `defaultText` says.
  static func integer(
    _ label: OptionLabel, default defaultText: String, in range: ClosedRange<Int64>
  ) -> Self {
    Self(spec: label.spec(.integer(range), default: defaultText), fallback: nil) {
      $0.number.flatMap(Int.init(exactly:))
    }
  }
}

extension TypedOption where Value == Int64? {
  /// The value counts milliseconds; nil means no limit, or what `defaultText` says.
  static func duration(
    _ label: OptionLabel, default defaultText: String = "none", in range: ClosedRange<Int64>
  ) -> Self {
    Self(spec: label.spec(.duration(range), default: defaultText), fallback: nil) { $0.number }
  }
}

extension TypedOption where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
  static func choice(_ label: OptionLabel, default fallback: Value) -> Self {
    let kind = OptionKind.choice(Value.allCases.map(\.rawValue))
    return Self(spec: label.spec(kind, default: fallback.rawValue), fallback: fallback) {
      $0.text.flatMap(Value.init(rawValue:))
    }
  }
}

extension TypedOption {
  /// A choice whose default depends on circumstances, which `defaultText` describes.
  static func choice<Word: RawRepresentable & CaseIterable>(
    _ label: OptionLabel, default defaultText: String
  ) -> Self where Value == Word?, Word.RawValue == String {
    let kind = OptionKind.choice(Word.allCases.map(\.rawValue))
    return Self(spec: label.spec(kind, default: defaultText), fallback: nil) {
      $0.text.map(Word.init(rawValue:))
    }
  }
}

extension OptionValue {
  fileprivate var flag: Bool? {
    if case .flag(let value) = self { value } else { nil }
  }

  fileprivate var text: String? {
    if case .text(let value) = self { value } else { nil }
  }

  fileprivate var list: [String]? {
    if case .list(let value) = self { value } else { nil }
  }

  fileprivate var number: Int64? {
    if case .number(let value) = self { value } else { nil }
  }
}
