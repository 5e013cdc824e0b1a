import type { Claim } from "@carteiro/owners/Idempotency.ts"
import { Ids, parseId } from "@carteiro/owners/Ids.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { GroupNotFound } from "@carteiro/schema/groups/GroupErrors.ts"
import { PhoneNumberNotFound } from "@carteiro/schema/phone-numbers/PhoneNumberErrors.ts"
import type { SimulateInbound } from "@carteiro/schema/sandbox/SimulateInbound.ts"
import { jsonText, jsonTextOrNull } from "@carteiro/tables/StoredJson.ts"
import { Context, Effect, Layer } from "effect"
import { NamedGroups } from "../groups/Groups.ts"
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
      const groups = yield* NamedGroups

      /** Returns the provider's id of the active group in which the customer writes. U-INB-06 */
      const groupOf = Effect.fnUntraced(function* (environmentId: string, { group_id = "", to }: SimulateInbound) {
        const known = yield* groups.providerId({ environment_id: environmentId, id: to }, group_id)
        return known ?? (yield* new GroupNotFound({ param: "group_id" }))
      })

      return SandboxCustomers.of({
        write: Effect.fnUntraced(function* ({ body, claim, customer, environment_id, now, trace_id }) {
          const isSender = parseId("pn", body.to) || (body.channel === "socialapp" && parseId("pcn", body.to))
          if (!isSender) return yield* new PhoneNumberNotFound({ param: "to" })
          const provider_group_id = body.group_id === undefined ? undefined : yield* groupOf(environment_id, body)
          const id = ids.mint("msg", now)
          const content = simulatedContent(body, () => ids.mint("mda", now))
          const provider_message_id = sandboxMessageId(id)
          return yield* numbers.Inbound(body.to, {
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
            provider_group_id,
            user_id: body.user_id,
            username: body.username,
            provider: "sandbox",
            provider_message_id,
            source_asset_id: body.media?.asset_id,
            payload: jsonText<unknown>({
              ...simulatedPayload(body, content, { provider_message_id, customer_id: customer.id, received_at: now }),
              ...(provider_group_id !== undefined && { group_id: provider_group_id })
            })
          })
        })
      })
    })
  ).pipe(Layer.provide(NamedGroups.layer))
}
