import { createHash, randomUUID } from "node:crypto"
import { readFile, rm } from "node:fs/promises"
import { join } from "node:path"
import { configFolder, readIfThere, writePrivate } from "../profiles/ProfileFiles.ts"
import type { Shell } from "../shell/Shell.ts"

/** How far a run over a file has come, kept beside the profiles until the run is through. */
export interface Run {
  /** Idempotency keys begin with it: a run that goes on has the one it began with, a run from the beginning has a new one. */
  readonly id: string
  /** Rows that are done. */
  readonly done: number
  readonly advance: (done: number) => Promise<void>
  readonly end: () => Promise<void>
}

/** Returns the run over a file, where an earlier one left it. */
export const openRun = async (shell: Shell, path: string, ...about: ReadonlyArray<string>): Promise<Run> => {
  const place = join(configFolder(shell.io), "runs", await fingerprint(shell, path, ...about))
  const [id = randomUUID(), done = "0"] = (await readIfThere(place))?.split(" ") ?? []
  const advance = (rows: number) => writePrivate(place, `${id} ${rows}`)
  await advance(Number(done))
  return { id, done: Number(done), advance, end: () => rm(place, { force: true }) }
}

/** Returns what stands for the content of a file in one environment, with what else a run is about. */
export const fingerprint = async (shell: Shell, path: string, ...about: ReadonlyArray<string>): Promise<string> => {
  const { apiKey, baseUrl, profile } = await shell.access()
  const environment = profile?.environment_id ?? createHash("sha256").update(apiKey).digest("hex")
  const hash = createHash("sha256")
    .update(JSON.stringify([baseUrl, environment, ...about]))
    .update(await readFile(path))
  return hash.digest("hex").slice(0, 32)
}

/** Options of a call within a long run: limits and outages are waited out. */
export const patient = (shell: Shell, idempotencyKey?: string) => ({
  maxRetries: 100,
  signal: shell.io.signal,
  ...(idempotencyKey === undefined ? {} : { idempotencyKey })
})
