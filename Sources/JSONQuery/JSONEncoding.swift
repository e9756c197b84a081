extension JSONWriter {
  /// A value as JSON: members in the order in which its type declares them, without those that are nil.
  ///
  /// Throws for what has a fraction, of which JSON has no one form.
  public static func json(of value: some Encodable) throws -> [UInt8] {
    let sink = JSONSink()
    try sink.write(value)
    return sink.writer.bytes
  }

  /// A report as a line of JSON Lines.
  public static func line(of value: some Encodable) -> [UInt8] {
    RawJSON(of: value).bytes + [UInt8(ascii: "\n")]
  }
}

/// JSON that is passed on as it is written.
public struct RawJSON: Codable, Hashable, Sendable {
  public var bytes: [UInt8]

  public init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// A report, which has no fractions.
  public init(of value: some Encodable) { bytes = (try? JSONWriter.json(of: value)) ?? Array("null".utf8) }

  public init(from decoder: any Decoder) throws {
    guard let value = (decoder as? JSONValueDecoder)?.value else {
      throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "it is not read from JSON"))
    }
    bytes = Array(value.tape.source[value.node.range])
  }

  public func encode(to encoder: any Encoder) throws {
    guard let encoder = encoder as? JSONValueEncoder else {
      throw EncodingError.invalidValue(
        self, .init(codingPath: [], debugDescription: "it is not written as JSON"))
    }
    encoder.sink.writer.raw(bytes)
  }
}

/// What all encoders of one value write to. A container is closed when one around it goes on, or its value ends.
final class JSONSink {
  var writer = JSONWriter()
  /// Of each container that is open, whether it is an object.
  private var open: [Bool] = []

  func write(_ value: some Encodable) throws {
    switch value {
    case let text as String: writer.string(text)
    case let flag as Bool: writer.bool(flag)
    case let number as any BinaryInteger: writer.int(number)
    case is any BinaryFloatingPoint:
      throw EncodingError.invalidValue(value, .init(codingPath: [], debugDescription: "it has a fraction"))
    default:
      let depth = open.count
      try value.encode(to: JSONValueEncoder(sink: self, depth: depth))
      close(to: depth)
    }
  }

  /// The object of the value at this depth, which goes on when it has begun.
  ///
  /// - Returns: How many are open with it.
  fileprivate func object(at depth: Int) -> Int {
    guard open.count > depth else { return begin(isObject: true) }
    close(to: depth + 1)
    return depth + 1
  }

  /// - Returns: How many are open with it.
  fileprivate func begin(isObject: Bool) -> Int {
    if isObject { writer.beginObject() } else { writer.beginArray() }
    open.append(isObject)
    return open.count
  }

  fileprivate func close(to depth: Int) {
    while open.count > depth {
      if open.removeLast() { writer.endObject() } else { writer.endArray() }
    }
  }
}

/// Writes one value, or those of an array.
struct JSONValueEncoder: Encoder, SingleValueEncodingContainer, UnkeyedEncodingContainer {
  let sink: JSONSink
  /// How many containers are around each value.
  fileprivate let depth: Int
  /// Its members are those of the object around it.
  fileprivate var isFlat = false
  private(set) var count = 0
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  fileprivate init(sink: JSONSink, depth: Int, isFlat: Bool = false) {
    (self.sink, self.depth, self.isFlat) = (sink, depth, isFlat)
  }

  func container<Key>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(JSONMemberEncoder(sink: sink, depth: sink.object(at: depth)))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    JSONValueEncoder(sink: sink, depth: sink.begin(isObject: false))
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  private mutating func next() -> JSONValueEncoder {
    sink.close(to: depth)
    count += 1
    return self
  }

  mutating func encodeNil() { if !isFlat { next().sink.writer.null() } }
  mutating func encode(_ value: some Encodable) throws {
    if isFlat { try value.encode(to: self) } else { try next().sink.write(value) }
  }

  mutating func nestedContainer<Inner>(keyedBy type: Inner.Type) -> KeyedEncodingContainer<Inner> {
    next().container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { next().unkeyedContainer() }
  mutating func superEncoder() -> any Encoder { next() }
}

private struct JSONMemberEncoder<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let sink: JSONSink
  let depth: Int
  var codingPath: [any CodingKey] { [] }

  private func value(of name: String) -> JSONValueEncoder {
    sink.close(to: depth)
    sink.writer.key(name)
    return JSONValueEncoder(sink: sink, depth: depth)
  }

  func encodeNil(forKey key: Key) { value(of: key.jsonName).sink.writer.null() }

  func encode(_ value: some Encodable, forKey key: Key) throws {
    if let member = value as? any OmissibleMember, member.isOmitted { return }
    guard value is any FlatMember else { return try self.value(of: key.jsonName).sink.write(value) }
    try value.encode(to: JSONValueEncoder(sink: sink, depth: depth - 1, isFlat: true))
  }

  func nestedContainer<Inner>(keyedBy type: Inner.Type, forKey key: Key) -> KeyedEncodingContainer<Inner> {
    value(of: key.jsonName).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    value(of: key.jsonName).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { value(of: "super") }
  func superEncoder(forKey key: Key) -> any Encoder { value(of: key.jsonName) }
}

/// A member that is `null` when there is no value; others that are nil are left out.
@propertyWrapper
public struct OrNull<Value: Encodable & Sendable>: Encodable, Sendable {
  public var wrappedValue: Value?

  public init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if let wrappedValue { try container.encode(wrappedValue) } else { try container.encodeNil() }
  }
}

/// A value whose members stand among those of the object around it.
@propertyWrapper
public struct Flat<Value: Encodable & Sendable>: Encodable, Sendable, FlatMember {
  public var wrappedValue: Value

  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

  public func encode(to encoder: any Encoder) throws { try wrappedValue.encode(to: encoder) }
}

protocol FlatMember {}

/// An array that is left out when there is nothing in it.
@propertyWrapper
public struct UnlessEmpty<Value: Encodable & Sendable>: Encodable, Sendable, OmissibleMember {
  public var wrappedValue: [Value]

  public init(wrappedValue: [Value]) { self.wrappedValue = wrappedValue }

  public func encode(to encoder: any Encoder) throws { try wrappedValue.encode(to: encoder) }

  var isOmitted: Bool { wrappedValue.isEmpty }
}

protocol OmissibleMember {
  var isOmitted: Bool { get }
}

/// Members of an object whose names are not known beforehand, in their order.
public struct Members<Value: Encodable & Sendable>: Encodable, Sendable {
  public private(set) var all: [(name: String, value: Value)]

  public init(_ all: [(name: String, value: Value)] = []) { self.all = all }

  /// Of a name that is there.
  public mutating func change(_ name: String, _ body: (inout Value) -> Void) {
    if let index = all.firstIndex(where: { $0.name == name }) { body(&all[index].value) }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: VerbatimKey.self)
    for (name, value) in all { try container.encode(value, forKey: VerbatimKey(name)) }
  }
}

/// A name that is written as it is.
struct VerbatimKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(_ name: String) { stringValue = name }
  init?(stringValue: String) { self.init(stringValue) }
  init?(intValue: Int) { nil }
}

extension CodingKey {
  /// `uptimeMs` as `uptime_ms`.
  var jsonName: String {
    guard !(self is VerbatimKey) else { return stringValue }
    return stringValue.reduce(into: "") { $0 += $1.isUppercase ? "_\($1.lowercased())" : String($1) }
  }
}
