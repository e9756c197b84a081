import Assembly
import HalyardConcurrency
import LedgerSQLite
import Pipeline
import Posix
import Roles

extension CacheRule {
  /// How long findings are kept for later runs; nil when every link is fetched.
  init?(_ arguments: ParsedArguments) throws(UsageError) {
    guard let time = arguments[CacheOption.cache], time > 0 else {
      try arguments.refuse(
        [OptionSpec](CacheOption.failures, CacheOption.file), "nothing is kept without --cache TIME")
      return nil
    }
    let own = [RequestOption.header, RequestOption.cookie].filter { arguments.isSet($0) }
    guard own.isEmpty else {
      guard let option = own.first, arguments.isOnCommandLine(CacheOption.cache) else { return nil }
      throw arguments.rejection(
        of: CacheOption.cache, "what \(option.flag) brings is for one user alone, and is not kept")
    }
    let failures = arguments[CacheOption.failures]
    self =
      failures.map { CacheRule(answersMilliseconds: time, failuresMilliseconds: $0) }
      ?? CacheRule(answersMilliseconds: time)
  }
}

/// Whether findings are kept for later runs, and where.
struct LinkCache: Sendable {
  private let rule: CacheRule
  /// nil when findings are kept in the ledger.
  private let path: String?
  /// Created if it is missing.
  private let directory: String?
  private let settings: UInt64

  /// - Parameters:
  ///   - file: The file that `--cache-file` names.
  ///   - hasLedger: There is one to keep findings in.
  init?(_ arguments: ParsedArguments, file: String?, hasLedger: Bool) throws(UsageError) {
    guard let rule = try CacheRule(arguments) else { return nil }
    self.rule = rule
    settings = FindingSettings.hash(arguments)
    let own = file == nil && !hasLedger ? try Self.defaultDirectory(arguments) : nil
    directory = own
    path = file ?? own.map { "\($0)/results.db" }
  }

  /// Runs `body` with the findings at hand, or with nil when the user's own cache cannot be used: it is to make runs faster,
  /// not to end them.
  func with<Answer>(
    _ ledger: SQLiteLedger?, _ body: (AnswerCaching?) async throws -> Answer
  ) async throws -> Answer {
    guard let path else {
      guard let ledger else {
        throw LedgerError("open cache: there is no ledger for it; name a --cache-file")
      }
      return try await body(AnswerCaching(in: ledger, for: rule, settings: settings))
    }
    guard let own = try await open(path) else { return try await body(nil) }
    return try await withCleanup {
      try await body(AnswerCaching(in: own, for: rule, settings: settings))
    } cleanup: {
      guard let fault = await own.close() else { return }
      Message.show("halyard: \(fault.message)\nhalyard: not all findings of this run are kept\n")
    }
  }

  private func open(_ path: String) async throws -> SQLiteResultCache? {
    if let directory {
      do {
        _ = try SafeDirectory(making: directory)
      } catch {
        Message.show(
          "halyard: \(error.message)\nhalyard: this run goes on without a cache; or use --cache-file\n")
        return nil
      }
    }
    do {
      return try await SQLiteResultCache.open(path: path)
    } catch {
      guard directory != nil else { throw error }
      Message.show(
        "halyard: \(error.message)\nhalyard: this run goes on without it; move the file away, or use --cache-file\n"
      )
      return nil
    }
  }

  private static func defaultDirectory(_ arguments: ParsedArguments) throws(UsageError) -> String {
    guard let directory = UserDirectory.cache.path(arguments.environment) else {
      throw arguments.rejection(
        of: CacheOption.cache, "there is no home directory to keep findings in; name a --cache-file")
    }
    return directory
  }
}
