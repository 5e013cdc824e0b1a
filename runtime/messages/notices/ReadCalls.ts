import { BoundedMap } from "@carteiro/owners/BoundedMap.ts"
import type { VendorWork } from "@carteiro/owners/Inbox.ts"
import type { ChatNotices } from "@carteiro/provider/ChatNotices.ts"

/** What a stored call of the provider tells. */
export type ReadCall = (work: Pick<VendorWork, "webhook_id" | "body">) => ChatNotices

/** Calls that a node remembers apart, and how large one of them may be, in bytes. */
const mostCalls = 64
const largestCall = 65_536

/**
 * Takes calls of the provider apart. One call tells of many numbers, whose owners look at it one after the other: what a
 * node has taken apart lately it does not take apart again.
 */
export const remembering = (read: (body: Uint8Array) => ChatNotices): ReadCall => {
  const known = new BoundedMap<string, ChatNotices>(mostCalls)
  return ({ body, webhook_id }) => {
    if (body === null) return nothing
    // One that was emptied since is not what was read.
    const name = `${webhook_id} ${body.length}`
    const remembered = known.get(name)
    if (remembered !== undefined) return remembered
    const told = read(body)
    if (body.length <= largestCall) known.set(name, told)
    return told
  }
}

const nothing: ChatNotices = { numbers: new Map(), accounts: new Map(), groups: new Map() }
