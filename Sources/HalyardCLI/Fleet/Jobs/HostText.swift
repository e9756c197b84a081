import Links
import Pipeline

/// A host as a user writes it.
enum HostText {
  /// As jobs wait for it; nil when none is given.
  static func key(
    _ option: Option<String?>, _ arguments: ParsedArguments
  ) throws(UsageError) -> String? {
    guard let text = arguments[option] else { return nil }
    guard let key = try? WebURL.userInput(text).hostKey, key.utf8.count <= HostSlotRequest.longestHost else {
      throw arguments.rejection(of: option, "'\(text)' is not a host")
    }
    return key
  }
}
