import Assembly
import Curl
import FetchCurl
import JSONQuery
import LedgerSQLite
import Pipeline
import Posix
import Roles
import SQLite
import Sandbox
import ZeroMQ

/// The command `doctor`: is this machine fit to run halyard? It changes nothing, and talks to nothing but the fleet.
struct DoctorCommand {
  let arguments: ParsedArguments

  /// Fails when there is trouble; a warning is none.
  func run() async throws -> ExitCode {
    let (fleet, status) = try await fleet()
    var findings = [libraries, certificates, descriptors, ledger(of: status), fleet]
    findings.append(
      DoctorRules.sandbox(
        hasFilters: KernelSandbox.hasFilters, landlock: KernelSandbox.landlockVersion))
    try arguments.show(json: findings.flatMap(\.json), text: findings.map(\.text).joined())
    return findings.contains { $0.state == .trouble } ? .someFailed : .ok
  }

  private var libraries: Finding {
    DoctorRules.libraries(
      curl: curlVersion, others: ["ZeroMQ/\(ZeroMQLibrary.version)", "SQLite/\(SQLiteLibrary.version)"])
  }

  private var certificates: Finding {
    let file = arguments[LinkOption.cacert] ?? authorityFile
    let isReadable = file.map(mayReadFile) ?? false
    return DoctorRules.certificates(
      file: file, isReadable: isReadable, loads: isReadable && file.map(CurlSettings.canTrust) ?? false)
  }

  private var descriptors: Finding {
    var options = PipelineOptions()
    options.roles.fetcher.concurrency = LinkOption.concurrency.fallback
    let wanted = options.network(SystemClock()).wantedDescriptors(threads: processors)
    return DoctorRules.descriptors(
      limit: raiseDescriptorLimit(to: wanted), wanted: wanted,
      fewest: DescriptorRoom.fewestOfFleet)
  }

  /// - Parameter status: What the fleet says; nil when none answers.
  private func ledger(of status: StatusText?) -> Finding {
    if let missing = status?.missingLedger { return DoctorRules.ledger(missing: missing) }
    let directory =
      arguments[FleetOption.fleet]?.directory ?? FleetPlace.defaultDirectory(arguments.environment)
    let path =
      arguments[FleetOption.ledger] ?? LedgerMark.noted(in: directory)?.ledger ?? "\(directory)/ledger.db"
    let free = directories(above: absolutePath(path)).lazy.compactMap { freeBytes(at: $0) }.first
    guard ((try? FileFacts(at: path)) ?? nil) != nil else {
      return DoctorRules.ledger(path, header: nil, free: free, isInUse: status != nil)
    }
    do {
      let header = try SafeFile.readingTrusted(path: path).readAll(limit: LedgerHeader.size)
      return DoctorRules.ledger(
        path, header: header, free: free, isInUse: status != nil, mayBeWritten: mayWriteFile(path))
    } catch let error as DistrustedPath {
      // A fleet that runs has opened it before.
      return .trouble("ledger", error.message, fix: "the next start refuses it as it is")
    } catch {
      return .trouble("ledger", "\(path): \(error)", fix: "name a file that this user may write to")
    }
  }

  private func fleet() async throws -> (Finding, StatusText?) {
    let isNamed = arguments.isSet(FleetOption.fleet)
    let place = arguments.fleetPlace
    if !isNamed, let directory = place.directory,
      Set(fileNames(in: directory)).isDisjoint(with: [FleetPlace.socket, RunDirectory.note])
    {
      return (.ok("fleet", "none runs in \(directory)"), nil)
    }
    do {
      let status = try await arguments.fleet().withLink {
        try StatusText(try await $0.client.ask(StatusQuestion()).bytes)
      }
      guard status.isWell else {
        let words = "\(place.address) answers, and is not well"
        return (.warning("fleet", words, fix: "halyard status"), status)
      }
      return (.ok("fleet", "\(place.address) answers"), status)
    } catch let error as FleetSilent {
      let fix = error.next(arguments.environment)
      let state = isNamed ? Finding.State.trouble : .warning
      let words = ([error.words] + [error.log].compactMap(\.self)).joined(separator: "; ")
      return (Finding(check: "fleet", state: state, message: words, fix: fix), nil)
    } catch let error as DistrustedPath {
      return (
        .trouble(
          "fleet", error.message,
          fix: "halyard up --check --run-dir \(ShellWord.quoted(place.directory ?? "DIR"))"), nil
      )
    } catch let error as InputError {
      return (.trouble("fleet", "\(error.source): \(error.problem)", fix: "halyard keys --help"), nil)
    }
  }
}

/// What the facts about a machine mean for halyard. Pure: `DoctorCommand` gathers the facts.
enum DoctorRules {
  /// - Parameter curl: As libcurl tells it, such as `libcurl/7.88.1 OpenSSL/3.0.15 zlib/1.2.13`.
  static func libraries(curl: String, others: [String]) -> Finding {
    let parts = curl.split(separator: " ").map(String.init)
    let text = (parts + others).joined(separator: " ")
    let hasTLS = parts.contains { part in
      ["OpenSSL/", "GnuTLS/", "LibreSSL/", "wolfSSL/", "mbedTLS/"].contains(where: part.hasPrefix)
    }
    guard hasTLS else {
      return .trouble(
        "libraries", "libcurl has no TLS: \(text)", fix: "install the libcurl4 of your distribution")
    }
    guard parts.contains(where: { $0.hasPrefix("nghttp2/") }) else {
      return .warning(
        "libraries", "libcurl has no HTTP/2: \(text)", fix: "install the libcurl4 of your distribution")
    }
    return .ok("libraries", text)
  }

  /// - Parameters:
  ///   - file: The authorities that libcurl trusts; nil when it was built without.
  ///   - loads: Whether libcurl can read them.
  static func certificates(file: String?, isReadable: Bool, loads: Bool) -> Finding {
    let fix = "install ca-certificates, or name a PEM file with --cacert"
    guard let file else {
      return .trouble("certificates", "libcurl knows no file of trusted authorities", fix: fix)
    }
    guard isReadable else { return .trouble("certificates", "\(file) cannot be read", fix: fix) }
    return loads
      ? .ok("certificates", file)
      : .trouble("certificates", "\(file) holds no certificates that can be loaded", fix: fix)
  }

  /// - Parameters:
  ///   - limit: Files that may be open once the soft limit is raised; nil when the system does not tell.
  ///   - wanted: What the default of --concurrency takes.
  static func descriptors(limit: Int?, wanted: Int, fewest: Int) -> Finding {
    guard let limit else { return .ok("descriptors", "this system has no limit") }
    let words = "\(limit) files may be open, and the defaults take \(wanted)"
    if limit >= wanted { return .ok("descriptors", words) }
    let fix = "ulimit -n \(wanted), or LimitNOFILE=\(wanted) in the systemd unit"
    if limit < fewest { return .trouble("descriptors", "\(words), \(fewest) at the least", fix: fix) }
    return .warning("descriptors", "\(words): fewer transfers run at a time", fix: fix)
  }

  /// - Parameters:
  ///   - header: The first bytes of the file; nil when there is none.
  ///   - free: Bytes left on its file system; nil when the system does not tell.
  ///   - isInUse: A fleet has it, which would begin anew with another.
  static func ledger(
    _ path: String, header: [UInt8]?, free: Int64?, isInUse: Bool = false, mayBeWritten: Bool = true
  ) -> Finding {
    let room = free.map { ", \($0 >> 20) MiB free" } ?? ""
    if let header, let problem = LedgerHeader(header).problem {
      return .trouble("ledger", "\(path): \(problem)", fix: "name another file with --ledger")
    }
    guard mayBeWritten else {
      return .trouble(
        "ledger", "\(path) may not be written", fix: "see its owner, 'lsattr' and how its disk is mounted")
    }
    let words =
      header.map { "\(path): \(LedgerHeader($0).summary)\(room)" } ?? "\(path) is not there yet\(room)"
    guard let free, free < 1 << 30 else { return .ok("ledger", words) }
    // Where there is a ledger, one on another disk would be an empty one.
    let remedy =
      isInUse
      ? ", or delete batches with 'halyard ledger prune'"
      : header == nil ? ", or name a file on another disk with --ledger" : ""
    let fix = "free space there\(remedy)"
    return free < 64 << 20 ? .trouble("ledger", words, fix: fix) : .warning("ledger", words, fix: fix)
  }

  /// - Parameter missing: What the fleet says of the ledger that it uses, with what to do.
  static func ledger(missing: String) -> Finding {
    .trouble(
      "ledger", missing,
      fix: "halyard pause --all, then halyard ledger backup FILE, before the fleet is stopped")
  }

  /// - Parameters:
  ///   - hasFilters: Whether a decoder can filter its system calls, without which it does not start.
  ///   - landlock: The version of Landlock, which a decoder takes too; nil without.
  static func sandbox(hasFilters: Bool, landlock: Int?) -> Finding {
    guard hasFilters else {
      return .trouble(
        "sandbox", "no seccomp filters: decoders do not start",
        fix: "use a kernel with CONFIG_SECCOMP_FILTER, or start decoders with --no-sandbox")
    }
    return .ok("sandbox", "seccomp filters, \(landlock.map { "Landlock \($0)" } ?? "no Landlock")")
  }
}

struct Finding: Hashable, Sendable {
  enum State: String, Sendable {
    case ok
    /// It works, though not as well as it could.
    case warning
    /// Something will fail.
    case trouble
  }

  var check: String
  var state: State
  var message: String
  var fix: String?

  static func ok(_ check: String, _ message: String) -> Finding {
    Finding(check: check, state: .ok, message: message, fix: nil)
  }

  static func warning(_ check: String, _ message: String, fix: String) -> Finding {
    Finding(check: check, state: .warning, message: message, fix: fix)
  }

  static func trouble(_ check: String, _ message: String, fix: String) -> Finding {
    Finding(check: check, state: .trouble, message: message, fix: fix)
  }

  var text: String {
    let columns = "\(DisplayWidth.fit(state.rawValue, to: 8)) \(DisplayWidth.fit(check, to: 12)) "
    let advice = fix.map { String(repeating: " ", count: columns.count) + "fix: \(Printable.text($0))\n" }
    return "\(columns)\(Printable.text(message))\n\(advice ?? "")"
  }

  var json: [UInt8] {
    JSONWriter.line { line in
      line.member("check", check)
      line.member("state", state.rawValue)
      line.member("message", message)
      line.key("fix")
      if let fix { line.string(fix) } else { line.null() }
    }
  }
}
