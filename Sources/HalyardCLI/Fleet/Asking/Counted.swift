/// Numbers of things in sentences.
enum Counted {
  static func jobs(_ count: UInt64) -> String {
    count == 1 ? "1 job" : "\(count) jobs"
  }
}
