extension JSONValue {
  /// The value as another type has it. Members that the type does not name are passed over; those that it needs and that
  /// are not there, and all that does not fit, are a `DecodingError`.
  public func decoded<Value: Decodable>(as type: Value.Type = Value.self) throws -> Value {
    try JSONValueDecoder(value: self).decode(type)
  }
}

struct JSONValueDecoder: Decoder, SingleValueDecodingContainer {
  let value: JSONValue
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard value.kind == .object else { throw fault("no object") }
    return KeyedDecodingContainer(JSONMemberDecoder<Key>(object: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard value.kind == .array else { throw fault("no array") }
    return JSONElementDecoder(of: self)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }
  func decodeNil() -> Bool { value.isNull }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let plain: Any?
    switch type {
    case is String.Type: plain = value.string
    case is Bool.Type: plain = value.bool
    case let number as any FixedWidthInteger.Type: plain = value.numberText.flatMap { number.init($0) }
    case is any BinaryFloatingPoint.Type: plain = nil
    default: return try Value(from: self)
    }
    guard let plain = plain as? Value else { throw fault("no \(type)") }
    return plain
  }

  fileprivate func fault(_ words: String) -> DecodingError {
    .dataCorrupted(.init(codingPath: [], debugDescription: "\(words) at byte \(value.offset)"))
  }
}

private struct JSONMemberDecoder<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let object: JSONValueDecoder
  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { object.value.members.compactMap { Key(stringValue: $0.key) } }

  private func member(_ name: String) throws -> JSONValueDecoder {
    guard let value = object.value[name] else { throw object.fault("no member \(name) of the object") }
    return JSONValueDecoder(value: value)
  }

  func contains(_ key: Key) -> Bool { object.value[key.jsonName] != nil }
  func decodeNil(forKey key: Key) throws -> Bool { try member(key.jsonName).decodeNil() }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try member(key.jsonName).decode(type)
  }

  func nestedContainer<Inner>(
    keyedBy type: Inner.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Inner> {
    try member(key.jsonName).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try member(key.jsonName).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { try member("super") }
  func superDecoder(forKey key: Key) throws -> any Decoder { try member(key.jsonName) }
}

private struct JSONElementDecoder: UnkeyedDecodingContainer {
  private let array: JSONValueDecoder
  private var rest: JSONElements
  private var upcoming: JSONValue?
  private(set) var currentIndex = 0
  var codingPath: [any CodingKey] { [] }
  var count: Int? { array.value.count }
  var isAtEnd: Bool { upcoming == nil }

  init(of array: JSONValueDecoder) {
    self.array = array
    rest = array.value.elements
    upcoming = rest.next()
  }

  private mutating func next() throws -> JSONValueDecoder {
    guard let value = upcoming else {
      throw array.fault("no more than \(currentIndex) elements of the array")
    }
    (upcoming, currentIndex) = (rest.next(), currentIndex + 1)
    return JSONValueDecoder(value: value)
  }

  /// Moves on only past what is null.
  mutating func decodeNil() throws -> Bool {
    guard let upcoming, upcoming.isNull else { return false }
    return try next().decodeNil()
  }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try next().decode(type) }

  mutating func nestedContainer<Inner>(keyedBy type: Inner.Type) throws -> KeyedDecodingContainer<Inner> {
    try next().container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try next().unkeyedContainer()
  }
  mutating func superDecoder() throws -> any Decoder { try next() }
}
