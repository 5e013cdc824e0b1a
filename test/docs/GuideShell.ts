import { spawn } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"
import { Effect } from "effect"
import { root } from "./GuideBlocks.ts"

/** What a reader has beside the shell: curl and Node.js, and the small tools that every Unix has. */
const tools = ["curl", "node", "npm", "npx", "sh", "env", "sleep", "mktemp", "rm", "mkdir"]

/** What a block of a guide came to. */
export interface Ran {
  readonly status: number
  /** Commands that failed, with their lines. */
  readonly failed: ReadonlyArray<string>
  /** Everything that the block printed, errors included. */
  readonly output: string
}

/** One shell that a reader keeps from the first block to the last, in a clone of its own. */
export interface GuideShell {
  readonly clone: string
  readonly run: (block: string) => Effect.Effect<Ran>
  /** Everything printed so far, by processes in the background too. */
  readonly printed: () => string
}

/** Makes a folder as a reader has it after `git clone` and `npm ci`. */
export const clonedFolder = Effect.acquireRelease(
  Effect.sync(() => {
    const folder = mkdtempSync(join(tmpdir(), "carteiro-guides-"))
    const clone = join(folder, "carteiro")
    mkdirSync(clone)
    for (const name of readdirSync(root)) {
      if (!name.startsWith(".")) symlinkSync(join(root, name), join(clone, name))
    }
    const path = join(folder, "path")
    mkdirSync(path)
    for (const tool of tools) symlinkSync(foundTool(tool), join(path, tool))
    return { folder, clone, path }
  }),
  ({ folder }) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

const foundTool = (tool: string): string => {
  const folder = (process.env.PATH ?? "").split(delimiter).find((one) => readdir(one).includes(tool))
  return join(folder ?? "/usr/bin", tool)
}

const readdir = (folder: string): ReadonlyArray<string> => {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** Opens bash in the clone with nothing on its path but the tools; closing the scope ends it and its children. */
export const guideShell = Effect.fnUntraced(function* (
  { clone, folder, path }: Effect.Success<typeof clonedFolder>,
  env: Readonly<Record<string, string>>
) {
  let printed = ""
  const shell = yield* Effect.acquireRelease(
    Effect.sync(() =>
      spawn("/bin/bash", ["--noprofile", "--norc"], {
        cwd: clone,
        env: { PATH: path, HOME: folder, LANG: "C.UTF-8", ...env },
        stdio: ["pipe", "pipe", "ignore"],
        detached: true
      })
    ),
    ({ pid }) => Effect.sync(() => void (pid !== undefined && endGroup(pid)))
  )
  const hear = new Set<() => void>()
  shell.stdout.on("data", (chunk) => {
    printed += String(chunk)
    for (const each of hear) each()
  })
  shell.stdin.write(`exec 2>&1; set -E -o pipefail; trap 'echo "${failure} $? $BASH_COMMAND"' ERR\n`)
  let count = 0
  const run = (block: string) =>
    Effect.callback<Ran>((resume) => {
      const file = join(folder, `block-${++count}.sh`)
      const end = `<end of block ${count}>`
      writeFileSync(file, block)
      const from = printed.length
      const look = () => {
        const closing = new RegExp(`${end} (\\d+)\\n`).exec(printed.slice(from))
        if (closing === null) return
        hear.delete(look)
        const output = printed.slice(from, from + closing.index)
        const failed = output.split("\n").filter((line) => line.startsWith(failure))
        resume(Effect.succeed({ status: Number(closing[1]), failed, output }))
      }
      hear.add(look)
      shell.stdin.write(`. ${file}; echo "${end} $?"\n`)
    })
  return { clone, run, printed: () => printed } satisfies GuideShell as GuideShell
})

const failure = "<failed>"

const endGroup = (pid: number): void => {
  try {
    process.kill(-pid, "SIGKILL")
  } catch {
    // The shell and its children have ended.
  }
}
