/// Ids and moments in the JSON of questions: as users see them, and as a number.
extension UUIDv7: Codable {
  public init(from decoder: any Decoder) throws {
    let text = try String(from: decoder)
    guard let id = UUIDv7(text) else {
      throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "no id: \(text)"))
    }
    self = id
  }

  public func encode(to encoder: any Encoder) throws { try description.encode(to: encoder) }
}

/// An id of its own type, so that two kinds of ids are not mixed up.
public protocol TypedID: Codable {
  var uuid: UUIDv7 { get }
  init(_ uuid: UUIDv7)
}

extension TypedID {
  public init(from decoder: any Decoder) throws { self.init(try UUIDv7(from: decoder)) }
  public func encode(to encoder: any Encoder) throws { try uuid.encode(to: encoder) }
}

extension BatchID: TypedID {}
extension JobID: TypedID {}
extension WorkerID: TypedID {}

extension Moment: Codable {
  public init(from decoder: any Decoder) throws { self.init(unixMilliseconds: try Int64(from: decoder)) }
  public func encode(to encoder: any Encoder) throws { try unixMilliseconds.encode(to: encoder) }
}
