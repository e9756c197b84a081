/// Makes drafts from the raw bytes of a link.
enum LinkText {
  /// Bytes of an overlong link that are kept to show which one it was.
  private static let shownBytes = 200

  /// A draft for the link in `bytes`; `place` says where it stands, such as `line 3`.
  ///
  /// Bytes that are not UTF-8 make the job a failed one: repaired, they would lead somewhere else.
  static func draft(
    of bytes: ArraySlice<UInt8>, isTooLong: Bool, line: Int, place: @autoclosure () -> String
  ) -> InputJob {
    let trimmed = trim(bytes)
    if isTooLong {
      let beginning = String(decoding: trimmed.prefix(shownBytes), as: UTF8.self)
      let problem = InputProblem(
        kind: .invalidInput,
        message: "\(place()) is longer than \(Quantity.byteSize(Int64(LineReader.limit)))")
      return InputJob(url: "\(beginning)…", problem: problem, line: line)
    }
    guard !trimmed.isEmpty else {
      let problem = InputProblem(kind: .missingInput, message: "\(place()) has no link")
      return InputJob(problem: problem, line: line)
    }
    guard let url = String(validating: trimmed, as: UTF8.self) else {
      let problem = InputProblem(kind: .invalidInput, message: "\(place()) is not UTF-8")
      return InputJob(url: String(decoding: trimmed, as: UTF8.self), problem: problem, line: line)
    }
    return InputJob(url: url, line: line)
  }

  static func trim(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let afterStart = bytes.drop(while: isBlank)
    guard let last = afterStart.lastIndex(where: { !isBlank($0) }) else { return [] }
    return afterStart[...last]
  }
}
