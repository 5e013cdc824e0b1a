import { BoundedMap } from "@carteiro/owners/BoundedMap.ts"
import type { ChatNotices } from "@carteiro/provider/ChatNotices.ts"
import type { VendorWork } from "../../vendor-webhooks/InboxRepo.ts"

/** Parses a stored call of the provider. */
export type ReadCall = (work: Pick<VendorWork, "webhook_id" | "body">) => ChatNotices

/** The most parsed calls that a node caches, and the largest size of one, in bytes. */
const mostCalls = 64
const largestCall = 65_536

/**
 * Parses calls of the provider. One call concerns many numbers, whose owners read it one after the other, so a node
 * caches recently parsed calls.
 */
export const remembering = (read: (body: Uint8Array) => ChatNotices): ReadCall => {
  const known = new BoundedMap<string, ChatNotices>(mostCalls)
  return ({ body, webhook_id }) => {
    if (body === null) return nothing
    // The length is part of the key, because a call may have been emptied since.
    const name = `${webhook_id} ${body.length}`
    const remembered = known.get(name)
    if (remembered !== undefined) return remembered
    const told = read(body)
    if (body.length <= largestCall) known.set(name, told)
    return told
  }
}

const nothing: ChatNotices = { numbers: new Map(), accounts: new Map(), groups: new Map() }
