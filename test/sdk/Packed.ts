import { execFile } from "node:child_process"
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"

export const run = promisify(execFile)
export const root = join(import.meta.dirname, "../..")

/** The client as the registry would give it. */
export interface Packed {
  readonly folder: string
  /** Folder with the files of the tarball. */
  readonly dist: string
  readonly tarball: string
}

/** Builds and packs the client into a folder of its own. */
export const packed = async (): Promise<Packed> => {
  const folder = await mkdtemp(join(tmpdir(), "carteiro-sdk-"))
  const dist = join(folder, "dist")
  await run(process.execPath, [join(root, "packages/sdk/build.ts"), dist])
  await run("npm", ["pack", dist, "--pack-destination", folder, "--silent"])
  const name = (await readdir(folder)).find((file) => file.endsWith(".tgz")) ?? ""
  return { folder, dist, tarball: join(folder, name) }
}

/** Runs `npm pack -w packages/sdk` as an integrator with a clone does, in a copy of the workspace of this package. */
export const packedByNpm = async (): Promise<Packed> => {
  const folder = await mkdtemp(join(tmpdir(), "carteiro-pack-"))
  const clone = join(folder, "clone")
  const sdk = join(clone, "packages/sdk")
  await mkdir(sdk, { recursive: true })
  const isSource = (path: string) => !path.endsWith("/dist")
  await cp(join(root, "packages/sdk"), sdk, { recursive: true, filter: isSource })
  for (const name of ["tsconfig.base.json", "LICENSE"]) await cp(join(root, name), join(clone, name))
  await writeFile(join(clone, "package.json"), '{"name":"clone","private":true,"workspaces":["packages/*"]}')
  await symlink(join(root, "node_modules"), join(clone, "node_modules"))
  await run("npm", ["pack", "-w", "packages/sdk", "--pack-destination", folder, "--silent"], { cwd: clone })
  const name = (await readdir(folder)).find((file) => file.endsWith(".tgz")) ?? ""
  return { folder, dist: sdk, tarball: join(folder, name) }
}

export const removed = ({ folder }: Packed): Promise<void> => rm(folder, { recursive: true, force: true })

/** Makes an empty project and installs the tarball there, without a registry. */
export const installed = async ({ folder, tarball }: Packed): Promise<string> => {
  const user = await mkdtemp(join(folder, "user-"))
  await writeFile(join(user, "package.json"), '{"name":"user","private":true,"type":"module"}')
  await run("npm", ["install", "--offline", "--no-audit", "--no-fund", tarball], { cwd: user })
  return user
}

/** Returns the TypeScript of one section of the client's README, as printed. */
export const readmeBlocks = async (heading: string): Promise<ReadonlyArray<string>> => {
  const text = await readFile(join(root, "packages/sdk/README.md"), "utf8")
  const section = text.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? ""
  return [...section.matchAll(/^```ts\n(.*?)^```/gms)].map(([, block = ""]) => block)
}

/** Returns the program that the README makes up when its blocks are read one after the other. */
export const readmeProgram = async (): Promise<string> => {
  const headings = ["Start", "Five things people do first", "Phones and tax ids as people write them", "Errors"]
  const sections = await Promise.all(headings.map(readmeBlocks))
  return sections.flat().join("\n")
}
