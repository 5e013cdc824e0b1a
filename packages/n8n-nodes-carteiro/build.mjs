import { cpSync, mkdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { build } from "rolldown"

// Builds what n8n loads into `dist`, or into the folder given, from the sources and the client of packages/sdk. It needs the root's
// packages alone: types are checked by `npm run check`, for which this folder has its own lockfile.

const here = import.meta.dirname
const folder = process.argv[2] ?? join(here, "dist")
const entries = [
  "credentials/CarteiroApi.credentials",
  "nodes/Carteiro/Carteiro.node",
  "nodes/CarteiroTrigger/CarteiroTrigger.node"
]

// n8n refuses timers, `process` and `globalThis` in what its nodes load, so the client's clock is n8n's.
const clock = {
  name: "clock",
  resolveId: (specifier, importer) =>
    /(^|\/)Timing\.ts$/.test(specifier) && importer !== undefined && /[\\/]packages[\\/]sdk[\\/]/.test(importer)
      ? join(here, "sdk/Timing.ts")
      : null
}

rmSync(folder, { recursive: true, force: true })
await build({
  input: Object.fromEntries(entries.map((name) => [name, join(here, `${name}.ts`)])),
  external: ["n8n-workflow"],
  plugins: [clock],
  tsconfig: false,
  transform: {
    target: "es2022",
    define: { "globalThis.fetch": "fetch", "globalThis.crypto": "crypto", "globalThis.process": "undefined" }
  },
  output: { dir: folder, format: "cjs", entryFileNames: "[name].js", chunkFileNames: "sdk/[name].js", exports: "named" }
})
for (const name of ["icons", "nodes/Carteiro/translations", "nodes/CarteiroTrigger/translations"]) {
  mkdirSync(join(folder, name), { recursive: true })
  cpSync(join(here, name), join(folder, name), { recursive: true })
}
for (const name of ["nodes/Carteiro/Carteiro.node.json", "nodes/CarteiroTrigger/CarteiroTrigger.node.json"]) {
  cpSync(join(here, name), join(folder, name))
}
