import type { CreateBatch } from "@carteiro/schema/batches/CreateBatch.ts"
import { clean } from "@carteiro/schema/conventions/Text.ts"
import { parseTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import { jsonText, jsonTextOrNull } from "@carteiro/tables/StoredJson.ts"
import type { ApiCall } from "../../tenancy/ApiCall.ts"
import type { StoredFilter } from "../audience/ContactFilter.ts"
import type { BatchRow } from "../batch/BatchRead.ts"
import type { StagedRecipient } from "./BatchStaging.ts"

/** The call that makes a batch. */
export type BatchCall = ApiCall<"environment_id" | "environment" | "over_spend_cap">

/** To whom a batch goes: recipients that come with it, or contacts that are found when it starts. */
export type Addressees =
  | { readonly _tag: "Staged"; readonly recipients: ReadonlyArray<StagedRecipient> }
  | { readonly _tag: "Filtered"; readonly filter: StoredFilter; readonly count: number }

/** Returns the row of a batch that nobody has published yet. gaps-2 H "Create body" */
export const newBatch = (
  { caller, now, traceId }: BatchCall,
  id: string,
  body: CreateBatch,
  template: { readonly id: string; readonly version_id: string; readonly version: number },
  addressees: Addressees
): BatchRow => {
  const scheduled_at = body.scheduled_at ? (parseTimestamp(body.scheduled_at) ?? null) : null
  return {
    environment_id: caller.environment_id,
    id,
    environment: caller.environment,
    name: body.name ? clean(body.name) : null,
    status: scheduled_at === null ? "queued" : "scheduled",
    business_id: body.sender.id,
    template_name: body.template.name,
    template_language: body.template.language,
    template_id: template.id,
    template_version_id: template.version_id,
    template_version: template.version,
    header_media: jsonTextOrNull(body.template.header_media),
    filter: addressees._tag === "Filtered" ? jsonText(addressees.filter) : null,
    found_through: "",
    found_count: 0,
    recipient_count: addressees._tag === "Filtered" ? addressees.count : addressees.recipients.length,
    position: 0,
    claimed_to: null,
    claimed_at: null,
    enqueued_count: 0,
    refused_count: 0,
    recipient_guard_skipped_count: 0,
    sent_count: 0,
    delivered_count: 0,
    read_count: 0,
    failed_count: 0,
    skipped_count: 0,
    cancelled_count: 0,
    gone: 0,
    metadata: jsonTextOrNull(body.metadata),
    scheduled_at,
    resumed: false,
    failure_code: null,
    failure_message: null,
    trace_id: traceId,
    due_at: scheduled_at ?? now,
    created_at: now,
    updated_at: now
  }
}
