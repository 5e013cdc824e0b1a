import { createHash, randomBytes } from "node:crypto"
import { rm } from "node:fs/promises"
import { join } from "node:path"
import type { Cursors } from "@carteiro/sdk"
import { configFolder, readIfThere, writePrivate } from "../profiles/ProfileFiles.ts"
import type { Surroundings } from "../shell/Surroundings.ts"

/** One listener: an environment, a target and the types it takes. */
export interface Listener {
  readonly environmentId: string
  readonly target: string | undefined
  readonly events: ReadonlyArray<string>
}

const folderOf = (io: Surroundings, environmentId: string): string => join(configFolder(io), "listen", environmentId)

/** Returns the store of a listener's place; listeners with other targets or types have places of their own. */
export const placeOf = (io: Surroundings, { environmentId, events, target }: Listener) => {
  const about = JSON.stringify([target ?? null, [...new Set(events)].toSorted()])
  const name = `place-${createHash("sha256").update(about).digest("hex").slice(0, 16)}`
  const path = join(folderOf(io, environmentId), name)
  const cursors: Cursors = {
    load: async () => (await readIfThere(path))?.trimEnd(),
    save: (place) => writePrivate(path, `${place}\n`)
  }
  return { cursors, forget: () => rm(path, { force: true }) }
}

/** Returns the secret that forwarded events of an environment are signed with; made at the first use and kept. A-SIG-09 */
export const secretOf = async (io: Surroundings, environmentId: string): Promise<string> => {
  const path = join(folderOf(io, environmentId), "secret")
  const kept = (await readIfThere(path))?.trim()
  if (kept !== undefined && kept !== "") return kept
  const secret = `whsec_${randomBytes(32).toString("base64url")}`
  await writePrivate(path, `${secret}\n`)
  return secret
}
