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
