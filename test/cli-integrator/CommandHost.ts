import { homedir } from "node:os"
import { Readable, Writable } from "node:stream"
import { run } from "../../packages/cli/Run.ts"
import type { Surroundings } from "../../packages/cli/shell/Surroundings.ts"
import type { Command, Ended } from "./Cli.ts"

// A process that runs commands as `carteiro` does, many in one: `Cli.ts` starts it and sends them. A start of Node.js with
// the program is most of what a command costs.

/** Pipes of one command: what it reads is over at once, and what it prints is kept. */
const surroundings = (env: Command["env"]) => {
  const printed = { stdout: "", stderr: "" }
  const pipe = (name: keyof typeof printed) =>
    new Writable({
      decodeStrings: false,
      write: (chunk, _, done) => {
        printed[name] += String(chunk)
        done()
      }
    })
  const stopping = new AbortController()
  const io = {
    env,
    platform: process.platform,
    home: homedir(),
    stdin: Readable.from([]),
    stdout: pipe("stdout"),
    stderr: pipe("stderr"),
    signal: stopping.signal,
    stop: () => stopping.abort()
  }
  return { io: io as unknown as Surroundings, printed }
}

let cwd = ""
let running = 0
const ends = new Set<() => void>()

/** Waits until no command runs in another folder: a process has one. */
const enter = async (folder: string): Promise<void> => {
  while (running > 0 && cwd !== folder) await new Promise<void>((resolve) => ends.add(resolve))
  if (cwd !== folder) process.chdir(folder)
  cwd = folder
  running += 1
}

const leave = () => {
  running -= 1
  const waiting = [...ends]
  ends.clear()
  for (const each of waiting) each()
}

process.on("message", ({ env, folder, id, words }: Command) => {
  void enter(folder).then(async () => {
    const { io, printed } = surroundings(env)
    const code = await run(words, io).finally(leave)
    process.send?.({ id, code, ...printed } satisfies Ended & Pick<Command, "id">)
  })
})
