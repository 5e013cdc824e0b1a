import { spawnSync } from "node:child_process"
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { build } from "rolldown"
import { publishedManifest } from "./codegen/Manifest.ts"

// Builds the package that is published into `dist`, or into the folder given: JavaScript, declarations and a package.json of its own.

const root = join(import.meta.dirname, "../..")
const folder = process.argv[2] ?? join(import.meta.dirname, "dist")
const own = readFileSync(join(import.meta.dirname, "package.json"), "utf8")

rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
const compiledTree = join(folder, ".compiled")
const project = join(folder, "tsconfig.json")

/** Runs the compiler over the entry points, and tells whether it found no fault. */
const compiled = (more: object): boolean => {
  writeFileSync(
    project,
    JSON.stringify({
      extends: join(import.meta.dirname, "tsconfig.json"),
      compilerOptions: {
        ...more,
        noEmit: false,
        rewriteRelativeImportExtensions: true,
        rootDir: root,
        outDir: compiledTree,
        target: "es2022",
        typeRoots: [join(root, "node_modules/@types")]
      },
      include: [],
      files: ["index.ts", "node.ts", "phone.ts"].map((file) => join(import.meta.dirname, file))
    })
  )
  const words = [join(root, "node_modules/typescript/bin/tsc"), "-p", project]
  return spawnSync(process.execPath, words, { cwd: root, stdio: "inherit" }).status === 0
}

// Editors show the comments of the declarations. In the code, two thirds of the bytes would be comments that each import reads.
const isSound = compiled({ declaration: true, emitDeclarationOnly: true }) && compiled({ removeComments: true })
cpSync(join(compiledTree, "packages/sdk"), folder, { recursive: true })
rmSync(compiledTree, { recursive: true })
rmSync(project)

// The rules of phone numbers and tax ids, with the numbering plans, go into the modules that use them: the package has no
// dependency, and programs that read no phones load no plan.
await build({
  input: { phone: join(folder, "phone.js"), TaxIds: join(folder, "TaxIds.js") },
  external: /^\.\/transport\//,
  resolve: { alias: { "@carteiro": join(root, "node_modules/@carteiro") } },
  output: { dir: folder, format: "esm", minify: true }
})
cpSync(join(root, "node_modules/libphonenumber-js/LICENSE"), join(folder, "phone.LICENSE.txt"))

// IDs of requirements tell people who hover nothing.
const cited = /(?:,? (?:[AMC]-[A-Z]+-\d+(?:\.\.\d+)?|gaps-\d [^*\n]*?"[^"\n]*"))+(?= ?(?:\*\/|\n))/g
for (const file of globSync("**/*.d.ts", { cwd: folder }).map((name) => join(folder, name))) {
  writeFileSync(file, readFileSync(file, "utf8").replaceAll(cited, ""))
}
writeFileSync(join(folder, "package.json"), publishedManifest(own, "."))
cpSync(join(import.meta.dirname, "README.md"), join(folder, "README.md"))
cpSync(join(root, "LICENSE"), join(folder, "LICENSE"))
process.exitCode = isSound ? 0 : 1
