import { randomBytes } from "node:crypto"
import { rm } from "node:fs/promises"
import { join } from "node:path"
import type { Cursors } from "@carteiro/sdk"
import { configFolder, readIfThere, writePrivate } from "../profiles/ProfileFiles.ts"
import { digest, safeFileName } from "../shell/FileNames.ts"
import type { Surroundings } from "../shell/Surroundings.ts"

/** One listener: an environment, a target and event types. */
export interface Listener {
  readonly environmentId: string
  readonly target: string | undefined
  readonly events: ReadonlyArray<string>
}

const folderOf = (io: Surroundings, environmentId: string): string =>
  join(configFolder(io), "listen", safeFileName(environmentId))

/** Returns the store of a listener's place; each combination of target and types has its own. */
export const placeOf = (io: Surroundings, { environmentId, events, target }: Listener) => {
  const about = JSON.stringify([target ?? null, [...new Set(events)].toSorted()])
  const name = `place-${digest(about).slice(0, 16)}`
  const path = join(folderOf(io, environmentId), name)
  const cursors: Cursors = {
    load: async () => (await readIfThere(path))?.trimEnd(),
    save: (place) => writePrivate(path, `${place}\n`)
  }
  return { cursors, forget: () => rm(path, { force: true }) }
}

/** Secrets that sign forwarded events: the API's own and that of the Standard Webhooks headers. */
export interface ListenSecrets {
  readonly signing: string
  readonly standard: string
}

/** Returns the secrets of an environment's listeners, made on first use and kept. A-SIG-09 */
export const secretsOf = async (io: Surroundings, environmentId: string): Promise<ListenSecrets> => {
  const kept = async (name: string, encoding: "base64url" | "base64"): Promise<string> => {
    const path = join(folderOf(io, environmentId), name)
    const written = (await readIfThere(path))?.trim()
    if (written !== undefined && written !== "") return written
    const secret = `whsec_${randomBytes(32).toString(encoding)}`
    await writePrivate(path, `${secret}\n`)
    return secret
  }
  return { signing: await kept("secret", "base64url"), standard: await kept("standard-webhooks-secret", "base64") }
}
