import Assembly
import Links

extension AllowedAddresses {
  /// Reads the option, and the files that it names as `@FILE`.
  static func read(_ arguments: ParsedArguments) throws(UsageError) -> [AllowedAddress] {
    var allowed: [AllowedAddress] = []
    for text in try texts(arguments) {
      do {
        allowed.append(try AllowedAddress(text))
      } catch {
        throw arguments.rejection(of: LinkOption.allowAddress, error.message)
      }
    }
    return allowed
  }

  /// The addresses as they are written, those of files in their place.
  static func texts(_ arguments: ParsedArguments) throws(UsageError) -> [String] {
    try ListFile.texts(of: LinkOption.allowAddress, arguments)
  }
}
