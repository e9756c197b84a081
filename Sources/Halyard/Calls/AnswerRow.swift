internal import FoundationEssentials
internal import JSONQuery
internal import Pipeline

/// The row of a job that ended well.
struct AnswerRow {
  private let root: JSONValue

  static func read<Output>(
    _ json: [UInt8], as read: (AnswerRow) throws(HalyardError) -> Output
  ) -> Result<Output, HalyardError> {
    do throws(HalyardError) { return .success(try read(try AnswerRow(json))) } catch {
      return .failure(error)
    }
  }

  private init(_ json: [UInt8]) throws(HalyardError) {
    do throws(JSONError) {
      root = try JSONDocument(parsing: json, limits: .around).root
    } catch {
      throw HalyardError(.underlying, at: .json, "a row is not JSON: \(error)")
    }
    if let error = root["error"] {
      throw HalyardError(row: error).found(in: self)
    }
  }

  /// A file is an answer to a program that asks what a link leads to, and none to one that asks for a title.
  var withoutTitle: HalyardError {
    let type = root["content_type"]?.string ?? "a file"
    let failure = HalyardError(
      .notHTML, at: .page, "read \(name): it is \(type), not a page, and has no title of its own")
    return failure.found(in: self)
  }

  subscript(name: String) -> JSONValue? { root[name] }

  func number(_ name: String) -> Int { optionalNumber(name) ?? 0 }

  /// How old the answer is that the cache had, in seconds; nil when it was fetched.
  var age: Int? { root["cached"]?.bool == true ? optionalNumber("age") ?? 0 : nil }

  func optionalNumber(_ name: String) -> Int? { root[name]?.int64.map { Int(clamping: $0) } }

  /// What was selected or gathered, as a type of the caller's.
  func decoded<Value: Decodable>(
    _ type: Value.Type, by decoder: JSONDecoder = JSONDecoder()
  ) throws(HalyardError) -> Value {
    guard let value = root["value"] else { throw unreadable("there is no value in it") }
    var json: [UInt8] = []
    value.writeMinified(into: &json)
    do {
      return try decoder.decode(Value.self, from: Data(json))
    } catch let error as DecodingError {
      throw mismatch(type, error)
    } catch {
      throw unreadable("\(error)")
    }
  }

  func unreadable(_ cause: String) -> HalyardError {
    HalyardError(.underlying, at: .json, "read the row of '\(name)': \(cause)")
  }

  private var name: String { root["url"]?.string ?? root["input"]?.string ?? "" }

  private func mismatch(_ type: any Decodable.Type, _ error: DecodingError) -> HalyardError {
    let (context, missing): (DecodingError.Context?, (any CodingKey)?) =
      switch error {
      case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
        (context, nil)
      case .keyNotFound(let key, let context): (context, key)
      @unknown default: (nil, nil)
      }
    let path = ((context?.codingPath ?? []) + [missing].compactMap { $0 }).map {
      "/" + ($0.intValue.map { "\($0)" } ?? $0.stringValue)
    }
    return HalyardError(
      .decodeMismatch, at: .json,
      "decode \(name) as \(type): '\(path.joined())': \(context?.debugDescription ?? "\(error)")")
  }
}

extension HalyardError {
  /// With what the row has of the way to the failure.
  fileprivate func found(in row: AnswerRow) -> HalyardError {
    var failure = self
    (failure.url, failure.status) = (row["url"]?.string, row.optionalNumber("http_status"))
    failure.hops = ResolvedLink.Hop.all(in: row["hops"])
    return failure
  }

  /// The member `error` of a row. A kind that is not known here comes from a newer fleet.
  init(row error: JSONValue) {
    self.init(
      error["kind"]?.string.flatMap(Kind.init) ?? .underlying,
      at: Stage(rawValue: error["stage"]?.string ?? ""),
      error["message"]?.string ?? "", retryable: error["retryable"]?.bool ?? false)
  }
}

/// Data at the end of a link, as a type of yours.
public struct DecodedDocument<Value: Decodable & Sendable>: Sendable {
  /// The way to the data.
  public var resolved: ResolvedLink
  /// The data, or the part of it that was selected.
  public var value: Value

  /// Where the data is.
  public var url: String { resolved.url }

  /// For fakes, such as those of tests; the client makes its own.
  public init(resolved: ResolvedLink, value: Value) {
    self.resolved = resolved
    self.value = value
  }
}

extension DecodedDocument {
  init(_ row: AnswerRow, by decoder: JSONDecoder) throws(HalyardError) {
    resolved = ResolvedLink(row)
    value = try row.decoded(Value.self, by: decoder)
  }
}

extension DecodedDocument: Equatable where Value: Equatable {}
extension DecodedDocument: Hashable where Value: Hashable {}
