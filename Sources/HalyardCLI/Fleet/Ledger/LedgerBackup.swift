import Assembly
import JSONQuery
import LedgerSQLite
import Pipeline
import Posix
import Roles

/// A copy of the ledger that the fleet has made beside it, on its way to where it is wanted.
///
/// The aggregator writes no other file for a member: a name from afar would let it write anywhere.
struct LedgerBackup {
  /// Where it is wanted; nil to leave it where it is.
  let target: String?

  /// Before anything is copied.
  func checkTarget() throws {
    guard let target else { return }
    if let directory = directories(above: absolutePath(target)).first, !isDirectory(directory) {
      throw InputError(target, "there is no directory \(directory)")
    }
    guard (try? FileFacts(at: target)) != nil else { return }
    throw InputError(target, "there is a file of this name; a copy of the ledger replaces none")
  }

  /// Where a report says that the copy is; nil when there is none.
  static func path(in report: [UInt8]) throws -> String? {
    guard let path = try JSONDocument(parsing: report).root["path"]?.string else { return nil }
    guard (try? FileFacts(at: path)) != nil else {
      throw LedgerError(
        "no copy at \(path): run the command on the fleet's machine, or again if the aggregator was restarted"
      )
    }
    return path
  }

  /// Puts the copy in its place.
  ///
  /// - Returns: The report with that place.
  func taken(_ report: [UInt8]) throws -> [UInt8] {
    guard let target, let path = try Self.path(in: report) else { return report }
    let bytes = try JSONDocument(parsing: report).root["bytes"]?.int64
    let place = try Self.made(target)
    if !place.take(file: path) {
      do {
        try copy(path, to: target, bytes)
      } catch {
        _ = place.remove()
        throw error
      }
      _ = removeFile(path: path)
    }
    let absolute = absolutePath(target)
    // The file's name is on the disk too.
    try? Descriptor.reading(path: directories(above: absolute).first ?? "/").synchronize()
    return LedgerReport.copied(to: absolute, bytes: bytes).json
  }

  /// Takes the name, so that no file that is there is replaced.
  private static func made(_ target: String) throws -> FilePlace {
    do {
      let place = try FilePlace(target)
      _ = try place.creatingSecret()
      return place
    } catch let error as DistrustedPath {
      throw InputError(target, error.words)
    } catch let error as PosixError {
      throw InputError(target, error.message)
    }
  }

  /// To another disk.
  private func copy(_ path: String, to target: String, _ bytes: Int64?) throws {
    do {
      let part = try PartFile(beside: target)
      do {
        let source = try Descriptor.reading(path: path)
        while case let bytes = try source.readChunk(limit: 1 << 20), !bytes.isEmpty {
          try part.writeAll(bytes)
        }
        try part.takePlace()
      } catch {
        part.remove()
        throw error
      }
    } catch let error as PosixError {
      throw InputError(target, Self.words(for: error, target, bytes) + Self.kept(path))
    } catch is PartFile.Refusal {
      throw InputError(target, "it cannot be written" + Self.kept(path))
    }
  }

  static func words(for error: PosixError, _ target: String, _ bytes: Int64?) -> String {
    guard error.isNoRoom, let bytes else { return error.message }
    let directory = directories(above: absolutePath(target)).first ?? "/"
    return "the disk of \(directory) is full; make room there for \(Quantity.about(bytes)), and try again"
  }

  private static func kept(_ path: String) -> String { "; the copy is whole beside the ledger, in \(path)" }
}

/// `requeue --ledger`: the next run of the same command does the failed jobs of a file again.
struct LedgerRequeue {
  private static let page = 1_000

  private let arguments: ParsedArguments
  private let path: String
  /// nil for all runs in the file.
  private let batch: BatchText?
  /// Empty for all.
  private let kinds: Set<FailureKind>

  /// nil when a fleet is to do it.
  init?(_ arguments: ParsedArguments) throws(UsageError) {
    guard let path = arguments[LedgerOption.file] else { return nil }
    try arguments.refuse(
      FleetOption.link + BatchOption.choice, "--ledger works on a file, and asks no fleet")
    self.arguments = arguments
    self.path = path
    batch = BatchText(arguments)
    kinds = Set(arguments[JobOption.failedKind])
  }

  func run() async throws -> ExitCode {
    let jobs = try await withPresentLedger(at: path) { try await requeue(in: $0) }
    return try BatchCommand.report(jobs, "requeued", of: batch?.id, arguments)
  }

  private func requeue(in ledger: SQLiteLedger) async throws -> UInt64 {
    if let batch { try await FileLedger(ledger: ledger).check(batch) }
    let clock = SystemClock()
    var search = JobSearch()
    (search.batch, search.phase, search.limit) = (batch?.id, .failed, Self.page)
    var jobs: UInt64 = 0
    repeat {
      try Task.checkCancellation()
      let page = try await ledger.jobs(search)
      // The file is locked for this process, so its last owner is gone.
      var changes = Changes(under: try await ledger.owner().term)
      for dead in page.items where kinds.isEmpty || dead.failure.map(kinds.contains) ?? false {
        changes.jobs.append(JobChange(dead.job.id, .requeued))
      }
      jobs += UInt64(try await ledger.commit(changes, at: clock.now).jobs.count(where: \.self))
      search.from = page.next
    } while search.from != nil
    return jobs
  }
}
