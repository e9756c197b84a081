internal import CCurl

/// The library and those that it uses, such as `libcurl/7.88.1 OpenSSL/3.0.15`.
public var curlVersion: String {
  unsafe curl_version().map { unsafe String(cString: $0) } ?? ""
}

/// The file of authorities that is trusted where no other is named; nil when the library was built without.
public var authorityFile: String? {
  unsafe halyard_authority_file().map { unsafe String(cString: $0) }
}
