import { jsonNames } from "../message/MessageRead.ts"
import { messageRowColumns } from "../message/MessageTables.ts"
import type { ItemRow } from "../message/MessageText.ts"

const isJson = (name: string): name is keyof typeof jsonNames => Object.hasOwn(jsonNames, name)

/** The columns of a message, by the names of `MessageRow`. */
export const messageColumns = messageRowColumns.names
  .map((name) => (isJson(name) ? `${name} as ${jsonNames[name]}` : name))
  .join(", ")

/** The columns of a list's item, in the order of `readItem`. */
export const itemColumns = `id, channel, direction, type, status, status_reason, business_id, customer_id, customer_name,
  provider, provider_message_id, template_name, template_id, template_version_id, template_version,
  case when type in ('media', 'unsupported', 'unknown') then content end, metadata, error_code, error_message,
  provider_error, events, trace_id, created_at, updated_at, redacted_at, delivery_unconfirmed_at, customer_user_id,
  customer_username, edited_at, revoked_at, group_id, provider_group_id, source, pricing`

/**
 * Returns an item from its values in the order of `itemColumns`. Pages are long and frequent: row objects built by the
 * driver would double their cost.
 */
export const readItem = (values: ReadonlyArray<unknown>): ItemRow => {
  const v = values as ItemValues
  return {
    id: v[0],
    channel: v[1],
    direction: v[2],
    type: v[3],
    status: v[4],
    status_reason: v[5],
    business_id: v[6],
    customer_id: v[7],
    customer_name: v[8],
    provider: v[9],
    provider_message_id: v[10],
    template_name: v[11],
    template_id: v[12],
    template_version_id: v[13],
    template_version: v[14],
    content_json: v[15],
    metadata_json: v[16],
    error_code: v[17],
    error_message: v[18],
    provider_error_json: v[19],
    events_json: v[20],
    trace_id: v[21],
    created_at: v[22],
    updated_at: v[23],
    redacted_at: v[24],
    delivery_unconfirmed_at: v[25],
    customer_user_id: v[26],
    customer_username: v[27],
    edited_at: v[28],
    revoked_at: v[29],
    group_id: v[30],
    provider_group_id: v[31],
    source: v[32],
    pricing_json: v[33]
  }
}

type ItemValues = readonly [
  id: string,
  channel: ItemRow["channel"],
  direction: ItemRow["direction"],
  type: ItemRow["type"],
  status: ItemRow["status"],
  status_reason: string | null,
  business_id: string,
  customer_id: string,
  customer_name: string | null,
  provider: string | null,
  provider_message_id: string | null,
  template_name: string | null,
  template_id: string | null,
  template_version_id: string | null,
  template_version: number | null,
  content_json: ItemRow["content_json"],
  metadata_json: ItemRow["metadata_json"],
  error_code: string | null,
  error_message: string | null,
  provider_error_json: ItemRow["provider_error_json"],
  events_json: ItemRow["events_json"],
  trace_id: string,
  created_at: number,
  updated_at: number,
  redacted_at: number | null,
  delivery_unconfirmed_at: number | null,
  customer_user_id: string | null,
  customer_username: string | null,
  edited_at: number | null,
  revoked_at: number | null,
  group_id: string | null,
  provider_group_id: string | null,
  source: string | null,
  pricing_json: ItemRow["pricing_json"]
]
