import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"
import { project } from "../../vitest.config.ts"

/** `npm run test:drills`: drills take minutes each and need Debian's packages, so they stand apart from `npm test`. */
export default defineConfig({
  root: fileURLToPath(new URL("../..", import.meta.url)),
  test: { maxWorkers: 2, projects: [project("drills", ["test/drills/*.test.ts"])] }
})
