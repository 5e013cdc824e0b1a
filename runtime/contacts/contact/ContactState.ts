import type { ConsentEvent, ContactEntry } from "@carteiro/schema/contacts/Contact.ts"
import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import { formatTimestamp, formatTimestampOrNull } from "@carteiro/schema/conventions/Timestamp.ts"
import type { Metadata } from "@carteiro/schema/messages/Metadata.ts"
import { type JsonText, readJsonOrNull } from "@carteiro/tables/StoredJson.ts"
import type { SelectedRow } from "@carteiro/tables/Table.ts"
import type { consentColumns, contactColumns } from "./ContactTables.ts"

/** The kind of customer that is shown as a contact. gaps-2 I "Contact record" */
export const phoneCustomer = "phone_e164"

/** A row of `contacts`; instants are epoch milliseconds. */
export type ContactRow = SelectedRow<typeof contactColumns>

/** A choice as a caller sends it; `metadata` is undefined when it is absent. */
export interface ConsentChoice {
  readonly opt_in_status: "opted_in" | "opted_out"
  readonly source: string
  readonly reason: string | null
  readonly metadata: JsonText<Metadata> | undefined
  /** Epoch milliseconds. */
  readonly at: number
}

/** A contact after a choice. */
export interface ChosenContact {
  readonly contact: ContactRow
  /** True when the choice differs from the last one and is recorded among the customer's choices. */
  readonly isNewChoice: boolean
  /** True when any column of the row changes. */
  readonly isChanged: boolean
}

/**
 * Applies a choice. A repeated choice keeps the record of the first one; its metadata replaces the earlier metadata.
 * gaps-2 I "Bulk import results", "Opt-in, opt-out, reads"
 */
export const choose = (contact: ContactRow, choice: ConsentChoice): ChosenContact => {
  const { at, opt_in_status, source } = choice
  const isNewChoice = contact.opt_in_status !== opt_in_status
  const metadata = choice.metadata ?? contact.metadata
  const isChanged = isNewChoice || metadata !== contact.metadata
  if (!isChanged) return { contact, isNewChoice, isChanged }
  const chosen = isNewChoice
    ? { opt_in_status, source, [opt_in_status === "opted_in" ? "opted_in_at" : "opted_out_at"]: at }
    : undefined
  return { contact: { ...contact, ...chosen, metadata, updated_at: at }, isNewChoice, isChanged }
}

/** Returns the contact as lists show it. gaps-2 I "Contact record" */
export const readContact = (
  row: ContactRow,
  environment: EnvironmentKind,
  stopped: ReadonlySet<string>
): ContactEntry => ({
  id: row.id,
  object: "contact",
  phone: row.phone,
  user_id: row.user_id,
  username: row.username,
  environment,
  profile_name: row.profile_name,
  opt_in_status: row.opt_in_status,
  source: row.source,
  metadata: readJsonOrNull(row.metadata),
  marketing_stopped: stopped.has(row.match_key),
  opted_in_at: formatTimestampOrNull(row.opted_in_at),
  opted_out_at: formatTimestampOrNull(row.opted_out_at),
  last_inbound_at: formatTimestampOrNull(row.last_inbound_at),
  created_at: formatTimestamp(row.created_at),
  updated_at: formatTimestamp(row.updated_at)
})

/** A row of `consent_events`. */
export type ConsentEventRow = SelectedRow<typeof consentColumns>

/** Returns a choice as an export shows it. gaps-2 I "Export" */
export const readConsentEvent = ({ occurred_at, ...event }: ConsentEventRow): ConsentEvent => ({
  id: event.id,
  type: event.type,
  source: event.source,
  reason: event.reason,
  occurred_at: formatTimestamp(occurred_at)
})
