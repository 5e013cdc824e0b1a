import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["test/browser/**", "test/bench/**", "**/node_modules/**"],
    globalSetup: ["test/support/PostgresRun.ts"],
    // No module holds state, so files may share a worker's modules: loading them is most of a small file's time.
    isolate: false,
    pool: "threads",
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000
  }
})
