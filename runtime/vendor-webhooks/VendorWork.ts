import { hourMs } from "@carteiro/schema/conventions/Timestamp.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import type { VendorWork } from "./InboxRepo.ts"
import { deferWork, finishWork } from "./InboxWrites.ts"

/** An owner that has work with a vendor's call. */
export interface WorkPlace {
  readonly owner_type: string
  readonly owner_id: string
}

/** Returns the row that marks an owner's work on a call as done. */
export const finished = (owner: WorkPlace, { webhook_id }: Pick<VendorWork, "webhook_id">): Row =>
  finishWork.row({ ...owner, webhook_id })

/** The pauses before an owner retries a call that it could not finish, in milliseconds. */
const pauses = [1000, 5000, 30_000, 300_000, hourMs] as const

/** Returns when a call is retried after that many attempts; undefined when it is not. */
export const looksAgainAt = (attempts: number, now: number): number | undefined => {
  const pause = pauses[attempts]
  return pause === undefined ? undefined : now + pause
}

/** Returns the row that postpones an owner's work on a call; null ends it. */
export const deferred = (owner: WorkPlace, { attempts, webhook_id }: VendorWork, due_at: number | null): Row =>
  deferWork.row({ ...owner, webhook_id, attempts: attempts + 1, due_at })
