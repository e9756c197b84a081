internal import CPosix

/// The process's environment variables.
public func environmentVariables() -> [String: String] {
  var variables: [String: String] = [:]
  guard var entry = unsafe cposix_environment() else { return variables }
  while let text = unsafe entry.pointee {
    let pair = unsafe String(cString: text).split(
      separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    if pair.count == 2 { variables[String(pair[0])] = String(pair[1]) }
    unsafe entry += 1
  }
  return variables
}
