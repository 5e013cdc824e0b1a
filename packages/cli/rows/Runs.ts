import { createHash, randomUUID } from "node:crypto"
import { readFile, rm } from "node:fs/promises"
import { join } from "node:path"
import { configFolder, readIfThere, writePrivate } from "../profiles/ProfileFiles.ts"
import type { Shell } from "../shell/Shell.ts"

/** The progress of a run over a file, stored beside the profiles until the run is complete. */
export interface Run {
  /** The start of its idempotency keys: a continued run keeps its id, a run from the beginning has a new one. */
  readonly id: string
  /** The number of rows that are done. */
  readonly done: number
  readonly advance: (done: number) => Promise<void>
  readonly end: () => Promise<void>
}

/** Returns the run over a file, at the place where an earlier one stopped. */
export const openRun = async (shell: Shell, path: string, ...about: ReadonlyArray<string>): Promise<Run> => {
  const place = join(configFolder(shell.io), "runs", await fingerprint(shell, path, ...about))
  const [id = randomUUID(), done = "0"] = (await readIfThere(place))?.split(" ") ?? []
  const advance = (rows: number) => writePrivate(place, `${id} ${rows}`)
  await advance(Number(done))
  return { id, done: Number(done), advance, end: () => rm(place, { force: true }) }
}

/** Returns a fingerprint of the content of a file in one environment, with the other parameters of the run. */
export const fingerprint = async (shell: Shell, path: string, ...about: ReadonlyArray<string>): Promise<string> => {
  const { apiKey, baseUrl, profile } = await shell.access()
  const environment = profile?.environment_id ?? createHash("sha256").update(apiKey).digest("hex")
  const hash = createHash("sha256")
    .update(JSON.stringify([baseUrl, environment, ...about]))
    .update(await readFile(path))
  return hash.digest("hex").slice(0, 32)
}

/** Options of a call within a long run, which waits out rate limits and outages. */
export const patient = (shell: Shell, idempotencyKey?: string) => ({
  maxRetries: 100,
  signal: shell.io.signal,
  ...(idempotencyKey === undefined ? {} : { idempotencyKey })
})
