import Posix

/// A file of lines that a user names and no other user can have changed; empty lines and those that begin with # say
/// nothing.
enum ListFile {
  private static let limit = 1 << 20

  static func lines(_ path: String) throws(InputError) -> [Substring] {
    lines(of: try content(of: path, SafeFile.readingTrusted))
  }

  /// What the texts of an option stand for, and those of its files.
  static func words<Word>(
    of option: Option<[String]>, _ arguments: ParsedArguments,
    _ read: (String) throws(ValueProblem) -> Word
  ) throws(UsageError) -> [Word] {
    var words: [Word] = []
    for text in try texts(of: option, arguments) {
      do throws(ValueProblem) {
        words.append(try read(text))
      } catch {
        throw arguments.rejection(of: option, error.words)
      }
    }
    return words
  }

  /// What an option says, with the lines of a file in the place of each `@FILE`.
  static func texts(
    of option: some OptionRow, _ arguments: ParsedArguments
  ) throws(UsageError) -> [String] {
    var texts: [String] = []
    for text in arguments.value(of: option)?.texts ?? [] {
      texts += text.hasPrefix("@") ? try lines(String(text.dropFirst()), of: option, arguments) : [text]
    }
    return texts
  }

  /// The lines of a file that an option names.
  static func lines(
    _ path: String, of option: some OptionRow, _ arguments: ParsedArguments
  ) throws(UsageError) -> [String] {
    do throws(InputError) {
      return try lines(path).map { $0.trimmingSpaces() }
    } catch {
      throw arguments.rejection(
        of: option, "\(Printable.quoted(error.source)): \(Printable.text(error.problem))")
    }
  }

  static func lines(of text: String) -> [Substring] {
    // A carriage return and a line feed are one character.
    text.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("#") && !$0.allSatisfy(\.isWhitespace) }
  }

  static func content(
    of path: String, _ open: (String) throws(DistrustedPath) -> Descriptor
  ) throws(InputError) -> String {
    let bytes: [UInt8]?
    do throws(DistrustedPath) {
      bytes = try self.bytes(of: path, open)
    } catch {
      throw InputError(path, error.words)
    }
    // What lies beyond would be left out without a word.
    guard let bytes else { throw InputError(path, "it is longer than \(Quantity.byteSize(Int64(limit)))") }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// nil of a file that is longer than such files are.
  static func bytes(
    of path: String, _ open: (String) throws(DistrustedPath) -> Descriptor
  ) throws(DistrustedPath) -> [UInt8]? {
    let file = try open(path)
    var bytes: [UInt8] = []
    do throws(PosixError) {
      while case let chunk = try file.readChunk(), !chunk.isEmpty, bytes.count <= limit { bytes += chunk }
    } catch {
      throw DistrustedPath(path, .failed(error))
    }
    return bytes.count <= limit ? bytes : nil
  }
}
