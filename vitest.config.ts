import { availableParallelism } from "node:os"
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config"
import { keepCompiledCode } from "./runtime/boot/CompiledCode.ts"
import { LongestFirst } from "./test/support/LongestFirst.ts"

// For the packages that workers load, and for every process that a test starts.
keepCompiledCode()

/** Tests that start processes of their own: the product, PostgreSQL, clusters, packed programs. */
const processes = [
  "test/docs/{GoingLive,Guides}.test.ts",
  "test/faults/Short.test.ts",
  "test/faults/Rentals.test.ts",
  "test/{boot,cluster,deploy,receiver}/**/*.test.ts",
  "test/cli/{Doctor,DoctorPlatform,Process}.test.ts",
  "test/cli-integrator/**/*.test.ts",
  "test/demo/Demo.test.ts",
  "test/docs/TestingYourIntegration.test.ts",
  "test/openapi/{Clients,CodeSamples,Postman}.test.ts",
  "test/sdk/{BookingBot,Package,Readme,Recipes,Starter}.test.ts",
  "test/tables/PgBouncer.test.ts",
  "test/telemetry/Traces.test.ts",
  "test/webhooks/VerifyPrograms.test.ts"
]
const simulations = ["test/simulation/**/*.test.ts"]
const fuzz = ["test/contract/Fuzz.test.ts"]
/** Tests of packages that need no product stand inside their package; `npm test -w packages/owners` runs one package's. */
export const packageTests = ["packages/*/test/**/*.test.ts"]

/** Returns a project of tests that have one way to run. */
export const project = (
  name: string,
  include: ReadonlyArray<string>,
  exclude: ReadonlyArray<string> = []
): TestProjectInlineConfiguration => ({
  test: {
    name,
    include: [...include],
    exclude: ["test/browser/**", "test/bench/**", "**/node_modules/**", ...exclude],
    // No module holds state, so files may share a worker's modules: loading them is most of a small file's time.
    isolate: false,
    pool: "threads",
    // Node.js itself loads what tests import, as it loads the product: half of the time of Vite's module runner.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // These end what hangs, and nothing else: beside a busy machine a test takes twenty times as long.
    testTimeout: 240_000,
    hookTimeout: 300_000,
    // Real processes share their machine with others. A second try is named at the end of the run, and never silent.
    retry: name === "process" || name === "drills" ? 1 : 0
  }
})

export default defineConfig({
  test: {
    // The projects share one server, so its setup stands here and not in each of them.
    globalSetup: ["test/support/PostgresRun.ts"],
    // One more than there are cores: tests that start processes mostly wait for them.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongestFirst },
    projects: [
      project("process", processes),
      project("simulation", simulations),
      project("fuzz", fuzz),
      project("unit", ["test/**/*.test.ts", ...packageTests], [...processes, ...simulations, ...fuzz, "test/drills/**"])
    ]
  }
})
