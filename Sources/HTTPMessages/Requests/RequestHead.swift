/// A request without its body. Texts are made when they are asked for.
public struct RequestHead: Sendable {
  public enum Method: String, Sendable {
    case get = "GET"
    case head = "HEAD"
    case post = "POST"
    case put = "PUT"
    case patch = "PATCH"
    case delete = "DELETE"
    case options = "OPTIONS"
    case other = ""
  }

  /// How long the body is.
  public enum BodyLength: Hashable, Sendable {
    case bytes(Int)
    case chunked
  }

  let bytes: [UInt8]
  private let fields: [(name: Place, value: Place)]
  private let target: RequestTarget

  public let method: Method
  /// HTTP/1.1, and not 1.0.
  public let isVersion11: Bool
  public let bodyLength: BodyLength
  /// Whether the client wants to send another request.
  public let keepsAlive: Bool
  /// Whether the client waits for 100 before it sends the body.
  public let expectsContinue: Bool

  init(_ reader: HeadReader) throws(Refusal) {
    bytes = reader.bytes
    fields = reader.fields
    isVersion11 = reader.isVersion11
    let framing = try FramingFields(reader)
    let methodText = String(decoding: bytes[reader.method.range], as: UTF8.self)
    guard methodText != "CONNECT" else { throw .unknownMethod }
    method = Method(rawValue: methodText) ?? .other
    target = try RequestTarget(
      bytes[reader.target.range], isOptions: method == .options, host: framing.host.map { reader.bytes[$0] })
    bodyLength = framing.bodyLength
    keepsAlive = framing.keepsAlive
    expectsContinue = framing.expectsContinue && isVersion11
  }

  public var hasBody: Bool { bodyLength != .bytes(0) }

  /// As it was sent, such as `/v1/preview`; `*` when the request is about the server.
  public var path: String {
    target.path.isEmpty ? "/" : String(decoding: bytes[target.path], as: UTF8.self)
  }

  /// What follows the question mark, as it was sent; nil when there is none.
  public var query: String? { target.query.map { String(decoding: bytes[$0], as: UTF8.self) } }

  /// The pairs of the query in their order, decoded; nil when one has a bad escape.
  public var queryItems: [(name: String, value: String)]? {
    guard let query = target.query else { return [] }
    var items: [(name: String, value: String)] = []
    for part in bytes[query].split(separator: UInt8(ascii: "&")) {
      let name = part.prefix { $0 != UInt8(ascii: "=") }
      guard let decoded = percentDecoded(name, plusIsSpace: true),
        let value = percentDecoded(part[name.endIndex...].dropFirst(), plusIsSpace: true)
      else { return nil }
      items.append((decoded, value))
    }
    return items
  }

  /// The value of the first field of this name, which must be lower case.
  public subscript(_ name: String) -> String? {
    field(name).map { String(decoding: bytes[$0.range], as: UTF8.self) }
  }

  /// The values of all fields of this name, which must be lower case.
  public func values(_ name: String) -> [String] {
    fields.filter { bytes[$0.name.range].elementsEqual(name.utf8) }
      .map { String(decoding: bytes[$0.value.range], as: UTF8.self) }
  }

  private func field(_ name: String) -> Place? {
    fields.first { $0.name.range.count == name.utf8.count && bytes[$0.name.range].elementsEqual(name.utf8) }?
      .value
  }
}
