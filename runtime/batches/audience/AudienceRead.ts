import type { Audience } from "@carteiro/schema/batches/Audience.ts"
import { formatTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import type { SelectedRow } from "@carteiro/tables/Table.ts"
import type { audienceColumns } from "./AudienceTables.ts"
import type { StoredFilter } from "./ContactFilter.ts"

/** A row of `audiences`; instants are epoch milliseconds. */
export interface AudienceRow extends Omit<SelectedRow<typeof audienceColumns>, "filter"> {
  readonly filter: StoredFilter
}

/** The audience as reads show it, with the contacts it names now. gaps-2 H "Audiences" */
export const readAudience = (row: AudienceRow, contact_count: number): Audience => ({
  id: row.id,
  object: "audience",
  name: row.name,
  filter: row.filter,
  contact_count,
  created_at: formatTimestamp(row.created_at),
  updated_at: formatTimestamp(row.updated_at)
})
