/// The flags of operators' questions, and of their answers.
enum QuestionCode {
  static let job: UInt16 = 20
  static let jobs: UInt16 = 21
  static let care: UInt16 = 32
  static let storedRows: UInt16 = 33
  static let drain: UInt16 = 40
  static let scale: UInt16 = 41
  static let fetchOptions: UInt16 = 42
  static let pause: UInt16 = 50
  static let resume: UInt16 = 51
  static let batches: UInt16 = 52
  static let change: UInt16 = 53
}
