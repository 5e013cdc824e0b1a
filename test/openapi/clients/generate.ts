import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { registerHooks } from "node:module"
import { join } from "node:path"
import { committedFile } from "../../../packages/openapi/Committed.ts"

// Makes the project of an integrator in the given folder: a client from each generator, and the programs that use them.

// Both generators print through the compiler API of TypeScript 5, which 7 no longer has; one of them names no upper bound.
registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier, specifier === "typescript" ? { ...context, parentURL: import.meta.url } : context)
})

const folder = process.argv[2] ?? ""
const { astToString, default: openapiTypescript } = await import("openapi-typescript")
const { createClient } = await import("@hey-api/openapi-ts")
const description = JSON.parse(readFileSync(committedFile, "utf8"))

rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
writeFileSync(join(folder, "openapi-typescript.ts"), astToString(await openapiTypescript(description)))
await createClient({
  input: description,
  // Node.js itself runs the client, and finds files by their whole names.
  output: { path: join(folder, "hey-api"), module: { extension: ".ts" } },
  plugins: ["@hey-api/client-fetch", "@hey-api/typescript", "@hey-api/sdk"],
  logs: { level: "silent" }
})
for (const file of ["Story.ts", "OpenapiFetch.ts", "HeyApi.ts"]) {
  cpSync(join(import.meta.dirname, file), join(folder, file))
}
const compilerOptions = {
  target: "es2022",
  lib: ["es2023", "dom", "dom.iterable"],
  module: "esnext",
  moduleResolution: "bundler",
  types: [],
  strict: true,
  noUncheckedIndexedAccess: true,
  allowImportingTsExtensions: true,
  noEmit: true
}
writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["**/*.ts"] }))
