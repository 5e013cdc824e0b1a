import { defineConfig } from "vitest/config"
import { packageTests, project } from "./vitest.config.ts"

/** `npm test -w packages/owners`: the unit tests of packages alone, without a database and without the product. */
export default defineConfig({ test: { projects: [project("packages", packageTests)] } })
