/// Tells the names of authors from what stands in their place.
enum AuthorName {
  /// Addresses of profiles and ids of accounts are no names; what is passed over hides no name behind it.
  static func isOne(_ text: String) -> Bool {
    !text.contains("://") && text.utf8.contains { !$0.isASCIIDigit }
  }
}
