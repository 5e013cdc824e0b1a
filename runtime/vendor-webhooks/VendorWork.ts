import { deferWork, finishWork, type VendorWork } from "@carteiro/owners/Inbox.ts"
import type { Row } from "@carteiro/tables/Write.ts"

/** An owner that has work with a vendor's call. */
export interface WorkPlace {
  readonly owner_type: string
  readonly owner_id: string
}

/** The row that says that an owner is done with a call. */
export const finished = (place: WorkPlace, { webhook_id }: Pick<VendorWork, "webhook_id">): Row =>
  finishWork.row({ ...place, webhook_id })

/** Pauses before an owner looks at a call again that it could not finish, in milliseconds. */
const pauses = [1000, 5000, 30_000, 300_000, 3_600_000] as const

/** When a call is looked at again after so many attempts; undefined for never more. */
export const looksAgainAt = (attempts: number, now: number): number | undefined => {
  const pause = pauses[attempts]
  return pause === undefined ? undefined : now + pause
}

/** The row that says when an owner looks at a call again; null for never any more. */
export const deferred = (place: WorkPlace, { attempts, webhook_id }: VendorWork, due_at: number | null): Row =>
  deferWork.row({ ...place, webhook_id, attempts: attempts + 1, due_at })
