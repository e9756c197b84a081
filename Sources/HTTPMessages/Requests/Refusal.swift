/// Why a request is refused. Nothing after it can be trusted to be a request, so the connection ends.
public struct Refusal: Error, Hashable, Sendable {
  public let reason: String
  /// Of the response.
  public let status: Int

  private init(_ reason: String, _ status: Int = 400) {
    (self.reason, self.status) = (reason, status)
  }

  public static let malformedRequestLine = Refusal("malformed request line")
  public static let malformedTarget = Refusal("malformed request target")
  public static let otherHost = Refusal("the request target names another host than Host")
  public static let targetTooLong = Refusal("request target too long", 414)
  public static let unknownVersion = Refusal("HTTP version not supported", 505)
  public static let unknownMethod = Refusal("method not supported", 501)
  public static let malformedLineEnd = Refusal("line not ended by CR LF")
  public static let malformedFieldName = Refusal("malformed field name")
  public static let malformedFieldValue = Refusal("control byte in a field")
  public static let foldedField = Refusal("folded field")
  public static let headTooLarge = Refusal("fields too large", 431)
  public static let tooManyFields = Refusal("too many fields", 431)
  public static let missingHost = Refusal("no Host")
  public static let repeatedHost = Refusal("more than one Host")
  public static let malformedHost = Refusal("malformed Host")
  public static let malformedLength = Refusal("malformed Content-Length")
  public static let repeatedLength = Refusal("more than one Content-Length")
  public static let unknownCoding = Refusal("transfer coding not supported", 501)
  public static let repeatedCoding = Refusal("more than one Transfer-Encoding")
  public static let lengthAndCoding = Refusal("both Content-Length and Transfer-Encoding")
  public static let codingInOldVersion = Refusal("Transfer-Encoding in HTTP/1.0")
  public static let unknownExpectation = Refusal("expectation not supported", 417)
  public static let malformedChunk = Refusal("malformed chunk")
  public static let extensionTooLong = Refusal("chunk extension too long")
  public static let bodyTooLarge = Refusal("body too large", 413)
}
