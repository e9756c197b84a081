import HTTPMessages

extension Response {
  static func page(_ html: String, status: Int = 200) -> Response {
    Response(ResponseHead(status, contentType: "text/html; charset=utf-8"), body: Array(html.utf8))
  }

  static func page(_ bytes: [UInt8], contentType: StaticString) -> Response {
    Response(ResponseHead(200, contentType: contentType), body: bytes)
  }

  static func json(_ text: String, status: Int = 200) -> Response {
    Response(ResponseHead(status, contentType: "application/json"), body: Array(text.utf8))
  }

  /// A redirect, or one that forgets to say where to.
  static func redirect(_ status: Int, to location: String?) -> Response {
    var response = Response(ResponseHead(status))
    if let location { response.head.add("Location", location) }
    return response
  }
}

extension RequestHead {
  func query(_ name: String) -> String? { queryItems?.first { $0.name == name }?.value }
}
