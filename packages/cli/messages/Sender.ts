import { join } from "node:path"
import type { Carteiro } from "@carteiro/sdk"
import { configFolder, readIfThere, writePrivate } from "../profiles/ProfileFiles.ts"
import { Failure } from "../shell/Failure.ts"
import { digest } from "../shell/FileNames.ts"
import type { Shell } from "../shell/Shell.ts"

/** The most numbers that a refusal names. */
const mostNamed = 20

/**
 * Returns the number to send from: the named one, which is remembered for the key in use, the environment's only active
 * one, or among several the remembered one. Refuses when there is none, and names them when there are several.
 */
export const senderOf = async (shell: Shell, client: Carteiro, named: string | undefined): Promise<string> => {
  if (named !== undefined) {
    await writePrivate(await fileOf(shell), `${named}\n`)
    return named
  }
  const { data, has_more } = await client.phoneNumbers.list({ status: "active", limit: mostNamed })
  const [first, second] = data
  if (first === undefined) throw new Failure("the environment has no active number", { next: "carteiro open numbers" })
  if (second === undefined) return first.id
  const remembered = (await readIfThere(await fileOf(shell)))?.trim()
  const known = data.find(({ id }) => id === remembered)
  if (known !== undefined) {
    shell.note(`from ${known.id} ${known.phone ?? ""}`.trimEnd())
    return known.id
  }
  const names = data.map(({ id, phone }) => (phone === null ? id : `${id} (${phone})`))
  throw new Failure(`the environment has several numbers: ${names.join(", ")}${has_more ? " and more" : ""}`, {
    next: `add --sender ${first.id}, which later calls remember`
  })
}

/** The file of the number that was last named with this key. */
const fileOf = async (shell: Shell): Promise<string> => {
  const { apiKey, baseUrl } = await shell.access()
  return join(configFolder(shell.io), "senders", digest(JSON.stringify([baseUrl, apiKey])).slice(0, 16))
}
