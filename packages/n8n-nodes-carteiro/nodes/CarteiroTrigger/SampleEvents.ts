import type { IDataObject } from "n8n-workflow"
import { eventExamples } from "../../../../schema/webhooks/EventExamples.ts"

const at = "2026-03-02T14:05:09.000Z"

/** The types of events that the trigger can subscribe to, in the order of the API's documentation. */
export const eventTypes: readonly string[] = Object.keys(eventExamples)

/** Returns an event of a type as the trigger hands it on, with invented values; undefined for an unknown type. */
export const sampleEvent = (type: string): IDataObject | undefined => {
  const data = Object.entries(eventExamples).find(([name]) => name === type)?.[1]
  if (data === undefined) return undefined
  return {
    // The last three characters tell the samples apart.
    id: `evt_01kjqa8x1v3m7c5d9e2f4g6${String(eventTypes.indexOf(type)).padStart(3, "0")}`,
    type,
    created_at: at,
    ...(type.startsWith("payment.") ? { occurred_at: at } : {}),
    environment: "sandbox",
    trace_id: "trc_sample",
    data: data as unknown as IDataObject
  }
}
