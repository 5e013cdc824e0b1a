import type { Claim } from "@carteiro/owners/Idempotency.ts"
import { Ids, parseId } from "@carteiro/owners/Ids.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { PhoneNumberNotFound } from "@carteiro/schema/phone-numbers/PhoneNumberErrors.ts"
import type { SimulateInbound } from "@carteiro/schema/sandbox/SimulateInbound.ts"
import { jsonText, jsonTextOrNull } from "@carteiro/tables/StoredJson.ts"
import { Context, Effect, Layer } from "effect"
import {
  type Customer,
  PhoneNumberEntity,
  sandboxMessageId,
  simulatedContent,
  simulatedContext,
  simulatedPayload
} from "../messages/Messages.ts"

/** One message that a simulated customer writes in a sandbox; `now` in epoch milliseconds. */
interface SimulatedWrite {
  readonly environment_id: string
  readonly body: SimulateInbound
  /** The customer of `body.from`. */
  readonly customer: Customer
  readonly trace_id: string
  readonly now: number
  readonly claim: Claim | undefined
}

/** The simulated customers of sandbox environments. M-SBX-03..16 */
export class SandboxCustomers extends Context.Service<
  SandboxCustomers,
  {
    /** Returns the body of the 202 once the number's owner has accepted the message. */
    write(message: SimulatedWrite): Effect.Effect<string, ApiError>
  }
>()("@carteiro/runtime/sandbox/SandboxCustomers") {
  static readonly layer = Layer.effect(
    SandboxCustomers,
    Effect.gen(function* () {
      const numbers = yield* PhoneNumberEntity.client
      const ids = yield* Ids
      return SandboxCustomers.of({
        write: ({ body, claim, customer, environment_id, now, trace_id }) => {
          const isSender = parseId("pn", body.to) || (body.channel === "socialapp" && parseId("pcn", body.to))
          if (!isSender) return Effect.fail(new PhoneNumberNotFound({ param: "to" }))
          const id = ids.mint("msg", now)
          const content = simulatedContent(body, () => ids.mint("mda", now))
          const provider_message_id = sandboxMessageId(id)
          return numbers.Inbound(body.to, {
            id,
            environment_id,
            environment: "sandbox",
            channel: body.channel,
            type: body.type,
            customer_id: customer.id,
            customer_key: customer.key,
            content: jsonText(content),
            context: simulatedContext(body),
            metadata: jsonTextOrNull(body.metadata),
            trace_id,
            created_at: now,
            claim,
            contact_id: ids.mint("con", now),
            profile_name: body.profile_name ?? null,
            user_id: body.user_id,
            username: body.username,
            provider: "sandbox",
            provider_message_id,
            source_asset_id: body.media?.asset_id,
            payload: jsonText<unknown>(
              simulatedPayload(body, content, { provider_message_id, customer_id: customer.id, received_at: now })
            )
          })
        }
      })
    })
  )
}
