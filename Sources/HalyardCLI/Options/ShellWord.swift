/// Words as a POSIX shell takes them.
enum ShellWord {
  /// Quoted when it holds anything but harmless characters.
  static func quoted(_ word: String) -> String {
    let harmless = word.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: "-_./:=,@%+".utf8.contains(byte)
      }
    }
    if harmless, !word.isEmpty { return word }
    return "'\(word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#))'"
  }
}
