internal import CCurl

/// Request header lines in the form that libcurl wants them.
@safe
public struct HeaderList: ~Copyable {
  private(set) var first: UnsafeMutablePointer<curl_slist>?

  public init() {
    unsafe first = nil
  }

  deinit {
    unsafe curl_slist_free_all(first)
  }

  /// The caller has made sure that neither holds a line end or a zero byte.
  public mutating func append(name: String, value: String) throws(CurlError) {
    // A name followed by a colon and nothing would remove one of libcurl's own headers.
    let line = value.isEmpty ? "\(name);" : "\(name): \(value)"
    guard let longer = unsafe curl_slist_append(first, line) else {
      throw CurlError(call: "curl_slist_append", text: "out of memory")
    }
    unsafe first = unsafe longer
  }
}
