import type { ContactFilter as SentFilter } from "@carteiro/schema/batches/Audience.ts"
import { parseTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"

/** Which contacts are meant, as it is stored: absent members do not narrow. gaps-2 H "Create body" */
export interface StoredFilter {
  readonly opt_in_status?: "opted_in" | "opted_out" | "none"
  readonly source?: string
  /** As sent, RFC 3339. */
  readonly created_after?: string
}

/** A contact that a batch is sent to. */
export interface FoundContact {
  readonly id: string
  /** E.164 with the leading plus, or the platform's id of a customer who hides their phone. */
  readonly phone: string
  readonly match_key: string
}

/** A filter without the caller's nulls. */
export const storedFilter = ({ created_after, opt_in_status, source }: Partial<NullableFilter>): StoredFilter => ({
  ...(opt_in_status ? { opt_in_status } : {}),
  ...(source ? { source } : {}),
  ...(created_after ? { created_after } : {})
})

type NullableFilter = { readonly [K in keyof SentFilter]: SentFilter[K] | null }

/** Returns the parameters that a statement over contacts compares with; null narrows nothing. Epoch milliseconds. */
export const filterParameters = (filter: StoredFilter) => ({
  opt_in_status: filter.opt_in_status ?? null,
  source: filter.source ?? null,
  created_after: filter.created_after === undefined ? null : (parseTimestamp(filter.created_after) ?? null)
})
