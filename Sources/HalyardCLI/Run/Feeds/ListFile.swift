import Posix

/// A file of lines that a user names and no other user can have changed; empty lines and those that begin with # say
/// nothing.
enum ListFile {
  private static let limit = 1 << 20

  static func lines(_ path: String) throws(InputError) -> [Substring] {
    lines(of: try content(of: path, SafeFile.readingTrusted))
  }

  /// What an option says, with the lines of a file in the place of each `@FILE`.
  static func texts(of option: TypedOption<[String]>, _ arguments: ParsedArguments) throws(UsageError)
    -> [String]
  {
    var texts: [String] = []
    for text in arguments[option] {
      guard text.hasPrefix("@") else {
        texts.append(text)
        continue
      }
      do throws(InputError) {
        texts += try lines(String(text.dropFirst())).map { $0.trimmingSpaces() }
      } catch {
        throw arguments.rejection(
          of: option, "\(Printable.quoted(error.source)): \(Printable.text(error.problem))")
      }
    }
    return texts
  }

  static func lines(of text: String) -> [Substring] {
    // A carriage return and a line feed are one character.
    text.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("#") && !$0.allSatisfy(\.isWhitespace) }
  }

  static func content(
    of path: String, _ open: (String) throws(DistrustedPath) -> Descriptor
  ) throws(InputError) -> String {
    let file: Descriptor
    do throws(DistrustedPath) {
      file = try open(path)
    } catch {
      if case .failed(let cause) = error.reason { throw InputError(path, cause.message) }
      throw InputError(path, error.message)
    }
    var bytes: [UInt8] = []
    do {
      while case let chunk = try file.readChunk(), !chunk.isEmpty, bytes.count <= limit { bytes += chunk }
    } catch {
      throw InputError(path, error.message)
    }
    // What lies beyond would be left out without a word.
    guard bytes.count <= limit else {
      throw InputError(path, "it is longer than \(Quantity.byteSize(Int64(limit)))")
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
