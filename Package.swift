// swift-tools-version: 6.2
import PackageDescription

/// Set by scripts/fuzz: everything is instrumented for libFuzzer, and the program that fuzzes is linked.
let isFuzzing = Context.environment["HALYARD_FUZZ"] == "1"
let instrumented: [SwiftSetting] = isFuzzing ? [.unsafeFlags(["-sanitize=fuzzer"])] : []

let strict: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .strictMemorySafety(),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("InferIsolatedConformances"),
  .enableUpcomingFeature("ImmutableWeakCaptures"),
]

/// Set by scripts/halyard and scripts/package: the commit that `halyard version` names.
let commit: [CSetting] =
  Context.environment["HALYARD_COMMIT"].map { [.define("HALYARD_COMMIT", to: $0)] } ?? []

/// Where simulations and comparisons spend their time: optimised in debug builds too, so that thousands take seconds.
let simulated: Set = [
  "HalyardConcurrency", "JSONQuery", "Links", "Pages", "Pipeline", "PipelineTesting", "Posix",
  "Recipes", "Roles", "TransportFramed",
]
/// Not in the checkout of whoever depends on this package: there such flags are refused.
let isCheckout = Context.packageDirectory.split(separator: "/").dropLast().last == "checkouts"
let optimized: [SwiftSetting] =
  isCheckout ? [] : [.unsafeFlags(["-O"], .when(configuration: .debug))]

/// Libraries of the system. The build names the Debian packages when pkg-config does not find it.
func library(
  _ name: String, pkgConfig: String?, apt packages: String..., in folder: String = "Sources"
) -> Target {
  .systemLibrary(
    name: name, path: "\(folder)/\(name)", pkgConfig: pkgConfig, providers: [.apt(packages)])
}

/// A target whose dependencies stand on the floors below it; tools for tests and benchmarks stand in a folder of their own.
func floor(
  _ name: String, on dependencies: [Target.Dependency] = [], embedding files: [String] = [],
  in folder: String = "Sources"
) -> Target {
  .target(
    name: name, dependencies: dependencies, path: "\(folder)/\(name)",
    resources: files.map { .embedInCode($0) },
    swiftSettings: strict + instrumented + (simulated.contains(name) ? optimized : []))
}

/// Files a test reads by their path are `excluded` from the build.
func tests(
  of name: String, with dependencies: [Target.Dependency] = [], excluded: [String] = []
) -> Target {
  .testTarget(
    name: "\(name)Tests",
    dependencies: [.target(name: name)] + dependencies,
    exclude: excluded,
    swiftSettings: strict)
}

// Linux only: `Posix` waits by epoll and eventfd. Packages cannot say so, `platforms` names only Apple's.
let package = Package(
  name: "halyard",
  products: [
    .executable(name: "halyard", targets: ["HalyardProgram"]),
    .library(name: "Halyard", targets: ["Halyard"]),
    .library(name: "HalyardTesting", targets: ["HalyardTesting"]),
    .library(name: "HalyardConcurrency", targets: ["HalyardConcurrency"]),
  ],
  traits: [
    .trait(name: "Fleet", description: "Clients of a fleet, which need libzmq."),
    .default(enabledTraits: ["Fleet"]),
  ],
  targets: [
    // Floor 1: module maps and shims.
    .target(
      name: "CCommonMark", publicHeadersPath: ".",
      linkerSettings: [.linkedLibrary("cmark-gfm-extensions"), .linkedLibrary("cmark-gfm")]),
    .target(name: "CBuildFacts", publicHeadersPath: ".", cSettings: commit),
    library("CCompression", pkgConfig: "libisal", apt: "libisal-dev", "libbrotli-dev", "libzstd-dev"),
    library("CCurl", pkgConfig: "libcurl", apt: "libcurl4-openssl-dev"),
    .systemLibrary(name: "CIconv"),
    .systemLibrary(name: "CPosix"),
    .target(name: "CSandbox", publicHeadersPath: ".", linkerSettings: [.linkedLibrary("seccomp")]),
    library("CSQLite", pkgConfig: "sqlite3", apt: "libsqlite3-dev"),
    // Debian's libzmq.pc asks for flags that Swift's package manager refuses with a warning.
    library("CZeroMQ", pkgConfig: nil, apt: "libzmq3-dev"),

    // For tests alone: the tree builder that pages are compared with.
    library("CGumbo", pkgConfig: "gumbo", apt: "libgumbo-dev", in: "Tests/Support"),

    // Floor 2: thin safe wrappers, the only home of `unsafe`.
    floor("BuildFacts", on: ["CBuildFacts"]),
    floor("CommonMark", on: ["CCommonMark"]),
    floor("Compression", on: ["CCompression"]),
    floor("Curl", on: ["CCurl"]),
    floor("Iconv", on: ["CIconv"]),
    floor("Posix", on: ["CPosix"]),
    floor("Sandbox", on: ["CSandbox"]),
    floor("SQLite", on: ["CSQLite"]),
    floor("ZeroMQ", on: ["CZeroMQ"]),

    // Floor 3: values, rules and ports; no I/O, no clock, no randomness.
    floor("HalyardConcurrency", on: ["Posix"]),
    floor("HTTPMessages"),
    floor("Links", on: ["Posix"]),
    floor("JSONQuery", on: ["Posix"]),
    floor("Pages", on: ["HTTPMessages", "Iconv", "JSONQuery", "Links", "Posix"]),
    floor("Pipeline", on: ["Compression", "HTTPMessages", "JSONQuery", "Links"]),
    floor("TOML"),
    floor(
      "LinkPreviews", on: ["HTTPMessages", "JSONQuery", "Links", "Pipeline", "Posix"],
      embedding: [
        "Page/frame.html", "Page/page.html", "Page/note.html", "Page/page.css", "Page/page.js",
        "Page/icon.svg",
        "Page/openapi.json",
      ]),
    floor(
      "Recipes", on: ["JSONQuery", "Links"], embedding: ["Shipped/feeds.json", "Shipped/users.json"]),

    // Floor 4: adapters, one port each.
    floor("TransportInProcess", on: ["HalyardConcurrency", "Pipeline", "Posix"]),
    floor("TransportZeroMQ", on: ["Pipeline", "Posix", "ZeroMQ"]),
    floor("LedgerMemory", on: ["Pipeline"]),
    floor("LedgerSQLite", on: ["Links", "Pipeline", "Posix", "SQLite"]),
    floor("FetchCurl", on: ["Compression", "Curl", "HTTPMessages", "Links", "Pipeline", "Posix"]),
    floor("HTTPServer", on: ["HTTPMessages", "Pipeline", "Posix"]),

    // Floor 5: the roles, actors over ports.
    floor(
      "Roles",
      on: [
        "HalyardConcurrency", "HTTPMessages", "JSONQuery", "Links", "Pages", "Pipeline", "Posix",
        "Recipes",
      ]),

    // Floor 6: adapters are picked, as commands and the client library need them.
    floor("DemoSite", on: ["Compression", "HTTPMessages", "HTTPServer", "Posix"]),
    floor(
      "Assembly",
      on: [
        "HalyardConcurrency", "FetchCurl", "LedgerMemory", "Links", "Pipeline", "Posix", "Roles",
        "TransportInProcess",
      ]),

    // Floor 7: commands, and the client library.
    floor(
      "Halyard",
      on: [
        "Assembly", "HalyardConcurrency", "FetchCurl", "JSONQuery",
        "LedgerMemory", "Links", "Pipeline", "Posix", "Recipes", "Roles", "TransportInProcess",
        .target(name: "TransportZeroMQ", condition: .when(traits: ["Fleet"])),
      ]),
    floor(
      "HalyardCLI",
      on: [
        "Assembly", "BuildFacts", "CommonMark", "Compression",
        "HalyardConcurrency",
        "Curl",
        "DemoSite",
        "FetchCurl", "HTTPMessages", "HTTPServer",
        "JSONQuery",
        "LedgerMemory", "LedgerSQLite", "Links", "Pages", "Pipeline", "Posix",
        "LinkPreviews",
        "Recipes",
        "Roles",
        "SQLite", "Sandbox",
        "TOML", "TransportInProcess", "TransportZeroMQ", "ZeroMQ",
      ],
      embedding: ["Halyard.docc/Reference/FailureKinds.md", "Halyard.docc/Reference/RecipeFormat.md"]),

    // Floor 8: what programs test their use of the client library with, and main.
    floor("HalyardTesting", on: ["Halyard", "Posix"]),
    .executableTarget(name: "HalyardProgram", dependencies: ["HalyardCLI", "Posix"], swiftSettings: strict),

    // The program with faults on demand, for scripts/chaos.
    .executableTarget(
      name: "FaultyHalyard",
      dependencies: ["Compression", "HalyardCLI", "LedgerForwarding", "Pipeline", "Posix"],
      path: "Tests/Support/FaultyHalyard",
      swiftSettings: strict),

    // What scripts/bench runs: the reading of pages and JSON, and the client library.
    .executableTarget(
      name: "DecodeBench", dependencies: ["JSONQuery", "Pages", "Sandbox"],
      path: "Tests/Benchmarks/DecodeBench",
      swiftSettings: strict),
    .executableTarget(
      name: "ClientBench", dependencies: ["HalyardConcurrency", "Halyard", "Pipeline", "Posix"],
      path: "Tests/Benchmarks/ClientBench", swiftSettings: strict),
    // What scripts/costs counts.
    .executableTarget(
      name: "CostBench",
      dependencies: [
        "Compression", "HalyardConcurrency", "FetchCurl", "LedgerMemory", "LedgerSQLite", "Pipeline",
        "Posix", "Roles",
        "TransportFramed", "TransportInProcess",
      ],
      path: "Tests/Benchmarks/CostBench", swiftSettings: strict),

    // As much of Combine as the client library uses, where there is no Combine.
    floor("CombineStandIn", in: "Tests/Support"),
    // Names of SwiftNIO, which the products are not to take.
    floor("NIOCoreStandIn", in: "Tests/Support"),

    // What tests share. The benchmarks, which are linked without the testing library, use the first alone.
    floor("TransportFramed", on: ["Pipeline"], in: "Tests/Support"),
    floor("LedgerForwarding", on: ["Pipeline"], in: "Tests/Support"),
    floor(
      "PipelineTesting",
      on: [
        "Assembly", "JSONQuery", "LedgerForwarding", "LedgerMemory", "Pipeline", "Posix", "Roles",
        "TransportFramed", "TransportInProcess", "TransportZeroMQ",
      ],
      in: "Tests/Support"),

    tests(of: "Compression", with: ["PipelineTesting"]),
    tests(of: "Posix", with: ["PipelineTesting"]),
    tests(
      of: "Sandbox", with: ["CSandbox", "CZeroMQ", "Iconv", "Pages", "PipelineTesting", "Posix", "ZeroMQ"]),
    tests(of: "HalyardConcurrency", with: ["PipelineTesting"]),
    tests(of: "HTTPMessages"),
    tests(of: "LinkPreviews", with: ["JSONQuery", "Links", "Pipeline"]),
    tests(of: "HTTPServer", with: ["HTTPMessages", "Posix"]),
    tests(of: "Links", with: ["PipelineTesting"]),
    tests(of: "JSONQuery"),
    tests(of: "TOML"),
    tests(of: "Pages", with: ["CGumbo", "PipelineTesting"]),
    tests(of: "Recipes", with: ["JSONQuery", "Links", "PipelineTesting"]),
    tests(of: "Pipeline", with: ["JSONQuery", "PipelineTesting"], excluded: ["Golden"]),
    tests(of: "SQLite", with: ["PipelineTesting"]),
    tests(of: "LedgerSQLite", with: ["LedgerMemory", "PipelineTesting", "Pipeline", "Posix", "SQLite"]),
    tests(of: "LedgerMemory", with: ["PipelineTesting", "Pipeline"]),
    tests(of: "TransportInProcess", with: ["PipelineTesting", "Pipeline"]),
    tests(of: "TransportZeroMQ", with: ["Assembly", "PipelineTesting", "Pipeline", "Posix", "ZeroMQ"]),
    tests(of: "ZeroMQ"),
    tests(of: "FetchCurl", with: ["Curl", "Links", "Pipeline", "PipelineTesting", "Posix"]),
    tests(of: "DemoSite", with: ["Posix"]),
    tests(
      of: "Roles",
      with: [
        "Assembly", "HalyardConcurrency", "LedgerForwarding", "LedgerMemory", "LedgerSQLite", "Posix",
        "PipelineTesting", "Pipeline",
        "JSONQuery", "TransportInProcess",
      ]),
    tests(
      of: "HalyardCLI",
      with: [
        "HTTPMessages", "HTTPServer", "PipelineTesting", "LedgerMemory", "Links", "Pipeline",
        "JSONQuery", "Posix", "Recipes",
        "Roles", "SQLite", "Sandbox", "TransportZeroMQ", "ZeroMQ",
      ],
      excluded: ["Golden"]),

    // The client library; HalyardTests has the program.
    .testTarget(
      name: "HalyardClientTests",
      dependencies: [
        "Assembly", "CombineStandIn", "HalyardConcurrency", "DemoSite", "Halyard",
        "HalyardTesting", "NIOCoreStandIn", "Pipeline", "PipelineTesting", "Posix", "Roles",
        "TransportZeroMQ",
      ],
      // The library's file for Combine is compiled with the tests, too.
      swiftSettings: strict + [.define("HALYARD_COMBINE_STAND_IN")]),

    // The whole pipeline on a virtual clock, with everything that can go wrong.
    .testTarget(
      name: "SimulationTests", dependencies: ["PipelineTesting"], swiftSettings: strict),

    // Runs the built program as a user does.
    .testTarget(
      name: "HalyardTests",
      dependencies: [
        "HalyardProgram", "HalyardCLI", "DemoSite", "JSONQuery", "PipelineTesting", "Posix", "SQLite",
      ],
      swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)

/// What scripts/fuzz runs. Without libFuzzer there is no program, but its targets are compiled, to stay in step.
let fuzzed: [Target.Dependency] = [
  "HTTPMessages", "HalyardCLI", "JSONQuery", "LedgerMemory", "Links", "Pages", "Pipeline", "Posix", "Recipes",
  "Roles",
  "TOML",
]
package.targets +=
  isFuzzing
  ? [
    .systemLibrary(name: "CFuzzer", path: "Tests/Fuzzing/CFuzzer"),
    floor("FuzzDriver", on: ["CFuzzer", "Posix"], in: "Tests/Fuzzing"),
    .executableTarget(
      name: "Fuzz", dependencies: ["FuzzDriver"] + fuzzed, path: "Tests/Fuzzing/Fuzz", exclude: ["Seeds"],
      swiftSettings: strict, linkerSettings: [.linkedLibrary("stdc++")]),
  ]
  : [
    .target(
      name: "Fuzz", dependencies: fuzzed, path: "Tests/Fuzzing/Fuzz", exclude: ["Main.swift", "Seeds"],
      swiftSettings: strict)
  ]
