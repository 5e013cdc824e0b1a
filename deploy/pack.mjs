import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"

// `npm run pack [-- FOLDER]`: makes the tarballs that integrators install, with their SHA512SUMS, in `dist` or in the folder.
// It builds beside the sources and changes none, so it may run while tests do.

const root = join(import.meta.dirname, "..")
const folder = resolve(process.argv[2] ?? "dist")

/** Runs a program; a failure ends the packing. */
const run = (program, words, cwd = root) => {
  const { status } = spawnSync(program, words, { cwd, stdio: ["ignore", "ignore", "inherit"] })
  if (status !== 0) throw new Error(`${program} ${words.join(" ")} ended with ${status}`)
}

/** Lays out the command line, whose build makes its programs alone. */
const stageCommandLine = (source, stage) => {
  const { private: _private, scripts: _scripts, devDependencies: _development, ...shown } = manifestOf(source)
  mkdirSync(stage)
  writeFileSync(join(stage, "package.json"), `${JSON.stringify(shown, null, 2)}\n`)
  for (const file of ["README.md", "carteiro.js"]) cpSync(join(source, file), join(stage, file))
  cpSync(join(root, "LICENSE"), join(stage, "LICENSE"))
  run(process.execPath, [join(source, "build.ts"), join(stage, "dist")])
}

const manifestOf = (source) => JSON.parse(readFileSync(join(source, "package.json"), "utf8"))

/** The packages, each with what lays its files out; one without a way of its own is built by its own `prepack`. */
const packages = [
  ["packages/sdk", (source, stage) => run(process.execPath, [join(source, "build.ts"), stage])],
  ["packages/cli", stageCommandLine],
  ["packages/n8n-nodes-carteiro", undefined]
].filter(([path]) => existsSync(join(root, path, "package.json")))

rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
const stages = mkdtempSync(join(tmpdir(), "carteiro-pack-"))
try {
  for (const [index, [path, lay]] of packages.entries()) {
    const source = join(root, path)
    const stage = join(stages, String(index))
    lay?.(source, stage)
    const words = lay === undefined ? [] : ["--ignore-scripts"]
    run("npm", ["pack", "--silent", ...words, "--pack-destination", folder], lay === undefined ? source : stage)
  }
} finally {
  rmSync(stages, { recursive: true, force: true })
}

const tarballs = readdirSync(folder).sort()
if (tarballs.length !== packages.length) throw new Error(`${packages.length} packages made ${tarballs.join(" ")}`)
const sums = tarballs.map((name) => {
  const digest = createHash("sha512")
    .update(readFileSync(join(folder, name)))
    .digest("hex")
  return `${digest}  ${name}\n`
})
writeFileSync(join(folder, "SHA512SUMS"), sums.join(""))
process.stdout.write(`${[...tarballs, "SHA512SUMS"].map((name) => join(folder, name)).join("\n")}\n`)
