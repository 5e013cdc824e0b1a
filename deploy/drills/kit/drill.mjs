import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"

export const say = (line) => process.stdout.write(`${line}\n`)
export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
export const seconds = (ms) => (ms / 1000).toFixed(1)

/** Asks every 50 ms until `holds` returns something, and returns that. */
export const until = async (holds, what, withinMs = 60_000) => {
  const end = performance.now() + withinMs
  while (performance.now() < end) {
    const found = await holds()
    if (found) return found
    await pause(50)
  }
  throw new Error(`${what} did not happen within ${withinMs / 1000} seconds`)
}

export const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })

/**
 * Runs a drill in a temporary folder and ends the process: with 0 when every expectation holds, else with 1. The drill
 * gets `folder`, `atEnd(close)`, whose functions run in reverse order at the end, and `expect(line, holds)`, which prints
 * a line and remembers whether it holds, and `logs`, files whose ends are printed when it fails.
 */
export const drill = async (name, run) => {
  const folder = mkdtempSync(join(tmpdir(), `carteiro-${name}-`))
  const closers = []
  const broken = []
  const logs = []
  const atEnd = (close) => closers.push(close)
  const expect = (line, holds) => {
    say(line)
    if (!holds) broken.push(line)
  }
  const closeAll = async () => {
    for (const close of closers.reverse()) await close()
    rmSync(folder, { recursive: true, force: true })
  }
  // A drill that is ended fails at the same time: both wait for one end.
  let ending
  const end = () => (ending ??= closeAll())
  process.once("SIGTERM", () => end().then(() => process.exit(143)))
  try {
    await run({ folder, atEnd, expect, logs })
  } catch (error) {
    say(String(error?.stack ?? error))
    for (const log of logs.filter(existsSync))
      say(`${log}\n${readFileSync(log, "utf8").split("\n").slice(-15).join("\n")}`)
    broken.push(String(error))
  }
  await end()
  for (const line of broken) say(`does not hold: ${line}`)
  say(broken.length === 0 ? "passed" : "FAILED")
  process.exit(broken.length === 0 ? 0 : 1)
}
