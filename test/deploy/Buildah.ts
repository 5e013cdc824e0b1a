import { type ChildProcess, type ChildProcessByStdio, execFileSync, spawn, spawnSync } from "node:child_process"
import { cpSync, existsSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import type { Readable } from "node:stream"
import { childrenOf, commandOf } from "../support/ProcessTable.ts"

/** Returns why no image can be built on this machine; undefined where Debian's buildah can. */
export const withoutBuildah = (): string | undefined => {
  if (spawnSync("buildah", ["--version"]).status !== 0) return "buildah is missing"
  return process.getuid?.() === 0 ? undefined : "only root builds without a setup of its own"
}

/** The programs that build steps call beside Node.js and npm. */
const programs = ["sh", "find", "rm", "env"]

/** Returns the files that a program loads. */
const librariesOf = (program: string): ReadonlyArray<string> =>
  execFileSync("ldd", [program], { encoding: "utf8" }).match(/\/\S+/g) ?? []

const which = (name: string): string => execFileSync("which", [name], { encoding: "utf8" }).trim()

/** Lays a root with the pinned Node.js, npm and what the steps call, all of them files of this machine. */
const layRoot = (root: string): void => {
  const put = (from: string, to: string) => {
    mkdirSync(dirname(join(root, to)), { recursive: true })
    cpSync(realpathSync(from), join(root, to), { recursive: true })
  }
  mkdirSync(join(root, "tmp"), { recursive: true })
  for (const name of ["bin", "lib", "lib64"]) {
    mkdirSync(join(root, "usr", name), { recursive: true })
    symlinkSync(`usr/${name}`, join(root, name))
  }
  const found = new Map(programs.map((name) => [name, which(name)]))
  found.set("node", process.execPath)
  for (const [name, path] of found) {
    put(path, `/usr/bin/${name}`)
    for (const library of librariesOf(path)) put(library, library.replace(/^\/(usr\/)?/, "/usr/"))
  }
  const npm = realpathSync(which("npm"))
  put(join(npm, "../../.."), join(npm, "../../.."))
  symlinkSync(npm, join(root, "usr/bin/npm"))
  for (const folder of ["etc", "usr/etc"]) mkdirSync(join(root, folder), { recursive: true })
  writeFileSync(join(root, "usr/etc/npmrc"), npmSettings(put))
  writeFileSync(join(root, "etc/passwd"), "root:x:0:0::/root:/bin/sh\nnode:x:1000:1000::/tmp:/bin/sh\n")
}

/** Packages come from this machine's registry, and from npm's cache where they can. */
const npmSettings = (put: (from: string, to: string) => void): string => {
  const settings = ["prefer-offline=true", "cache=/root/.npm"]
  for (const name of ["registry", "cafile"]) {
    const value = execFileSync("npm", ["config", "get", name], { encoding: "utf8" }).trim()
    if (value === "null") continue
    settings.push(`${name}=${value}`)
    if (name === "cafile") put(value, value)
  }
  return settings.join("\n")
}

/** An image that nodes run in. */
export interface RunnableImage {
  /** The working directory of a container, as this machine sees it. */
  readonly workdir: string
  /** Starts a container's command, with these variables beside the image's, as the image's user. */
  readonly start: (env: Readonly<Record<string, string>>) => ChildProcessByStdio<null, Readable, Readable>
  /** Sends a signal to what such a process runs. */
  readonly signal: (child: ChildProcess, signal: NodeJS.Signals) => void
}

/** Builds the image of a project by its Dockerfile, with everything that buildah keeps below `folder`. */
export const buildImage = (project: string, dockerfile: string, folder: string): RunnableImage => {
  const store = ["--root", join(folder, "store"), "--runroot", join(folder, "run"), "--storage-driver", "vfs"]
  const buildah = (...words: ReadonlyArray<string>): string =>
    execFileSync("buildah", [...store, ...words], { cwd: project, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] })
  const isolated = ["--isolation", "chroot"]
  const root = join(folder, "base")
  layRoot(root)
  writeFileSync(join(folder, "Dockerfile"), "FROM scratch\nCOPY base /\n")
  buildah("bud", ...isolated, "--tag", "base", "--file", join(folder, "Dockerfile"), folder)

  const cache = execFileSync("npm", ["config", "get", "cache"], { encoding: "utf8" }).trim()
  const cached = existsSync(cache) ? ["--volume", `${cache}:/root/.npm`] : []
  const ignored = ["--ignorefile", `${dockerfile}.dockerignore`, "--file", dockerfile]
  const base = ["--build-arg", "BASE=localhost/base"]
  buildah("bud", ...isolated, "--format", "docker", ...ignored, ...base, ...cached, "--tag", "image", project)

  const container = buildah("from", "--pull-never", "image").trim()
  const { config } = JSON.parse(buildah("inspect", "--type", "image", "image")).Docker as {
    readonly config: Readonly<Record<"Cmd" | "Entrypoint", ReadonlyArray<string>>> & { readonly WorkingDir: string }
  }
  const command = [...config.Entrypoint, ...config.Cmd]
  // buildah kills what it runs when it gets a signal itself, so the command below it gets it.
  const running = (pid: number): number | undefined =>
    commandOf(pid).replace(/^\S*\//, "") === command.join(" ")
      ? pid
      : childrenOf(pid)
          .map(running)
          .find((found) => found !== undefined)
  return {
    workdir: join(buildah("mount", container).trim(), config.WorkingDir),
    start: (env) => {
      const variables = Object.entries(env).flatMap(([name, value]) => ["--env", `${name}=${value}`])
      return spawn("buildah", [...store, "run", ...isolated, ...variables, container, "--", ...command], {
        stdio: ["ignore", "pipe", "pipe"]
      })
    },
    signal: (child, signal) => {
      const pid = running(child.pid ?? 0)
      if (pid !== undefined) process.kill(pid, signal)
    }
  }
}
