import { spawnSync } from "node:child_process"
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"

// Builds the package that is published into `dist`, or into the folder given: JavaScript, declarations and a package.json of its own.

const root = join(import.meta.dirname, "../..")
const folder = process.argv[2] ?? join(import.meta.dirname, "dist")
const own = JSON.parse(readFileSync(join(import.meta.dirname, "package.json"), "utf8")) as Record<string, unknown>

rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
const project = join(folder, "tsconfig.json")
writeFileSync(
  project,
  JSON.stringify({
    extends: join(import.meta.dirname, "tsconfig.json"),
    compilerOptions: {
      noEmit: false,
      declaration: true,
      rewriteRelativeImportExtensions: true,
      rootDir: import.meta.dirname,
      outDir: folder,
      target: "es2022",
      typeRoots: [join(root, "node_modules/@types")]
    },
    include: [],
    files: [join(import.meta.dirname, "index.ts"), join(import.meta.dirname, "node.ts")]
  })
)
const compiled = spawnSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", project], {
  cwd: root,
  stdio: "inherit"
})
rmSync(project)
const { private: _private, exports: _exports, ...shown } = own
writeFileSync(
  join(folder, "package.json"),
  `${JSON.stringify(
    {
      ...shown,
      sideEffects: false,
      engines: { node: ">=20" },
      exports: {
        ".": { types: "./index.d.ts", default: "./index.js" },
        "./node": { types: "./node.d.ts", default: "./node.js" },
        "./package.json": "./package.json"
      }
    },
    null,
    2
  )}\n`
)
cpSync(join(import.meta.dirname, "README.md"), join(folder, "README.md"))
cpSync(join(root, "LICENSE"), join(folder, "LICENSE"))
process.exitCode = compiled.status ?? 1
