import { Ids } from "@carteiro/owners/Ids.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Context, Effect, Layer } from "effect"
import { insertUsage } from "./UsageWrites.ts"

/** A message that its carrier accepted, with the parts that its price depends on. */
interface CarriedMessage {
  readonly id: string
  readonly organization_id: string
  readonly project_id: string
  readonly environment_id: string
  readonly phone_number_id: string
  readonly type: string
  readonly template_category: "marketing" | "utility" | "authentication" | null
}

/** Makes the usage of messages, which the account prices and posts. gaps-2 B "When a message is charged" */
export class MessageUsage extends Context.Service<
  MessageUsage,
  {
    /**
     * Returns the usage row of a message that a carrier accepted; a message is charged once. `now` in epoch
     * milliseconds.
     */
    carried(message: CarriedMessage, now: number): Row
  }
>()("@carteiro/runtime/billing/usage/MessageUsage") {
  static readonly layer = Layer.effect(
    MessageUsage,
    Effect.map(Ids, (ids) =>
      MessageUsage.of({
        carried: ({ environment_id, id, organization_id, phone_number_id, project_id, template_category, type }, now) =>
          insertUsage.row({
            organization_id,
            project_id,
            id: ids.mint("usg", now),
            environment_id,
            meter_id: meterOf(type, template_category),
            source_type: "message",
            source_id: id,
            phone_number_id,
            occurred_at: now
          })
      })
    )
  )
}

/**
 * Returns the meter of a message: its template's category, or `service` for any other message. gaps-3 E "Rate card
 * seed"
 */
const meterOf = (type: string, category: CarriedMessage["template_category"]): string =>
  `message.transport.${type === "template" && category !== null ? category : "service"}`
