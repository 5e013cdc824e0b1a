import { Commit } from "@carteiro/owners/Commit.ts"
import { defineWorker } from "@carteiro/owners/Worker.ts"
import { PixProviders, pixProviderOf } from "@carteiro/provider/payments/PixProvider.ts"
import type { ProviderEvent } from "@carteiro/provider/WebhookScheme.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Effect } from "effect"
import { PaymentsConnections } from "../../provider-connections/ProviderConnections.ts"
import { readProviderEvent } from "../../vendor-webhooks/ProviderWebhooks.ts"
import { type ToldCall, vendorOwners } from "../../vendor-webhooks/VendorOwners.ts"
import { hintAuthorization, hintPayment } from "../agentic/AgenticWrites.ts"
import { hintPaymentRequest } from "../payment/PaymentWorkWrites.ts"
import { AgenticWorker } from "./AgenticWorker.ts"
import { PaymentWorker } from "./PaymentWorker.ts"

/**
 * The owner of a Pix provider's notices about one account there, by the connection's id. gaps-3 G "Inbound provider
 * webhooks"
 */
export const PixNoticesWorker = defineWorker("PixNotices")

/** The object of ours that a notice names. */
interface Named {
  readonly environment_id: string
  readonly id: string
  readonly provider_connection_id: string
  /** When the notice arrived, in epoch milliseconds. */
  readonly at: number
}

/** The writes that make an object of ours due for a look-up, by the prefix of its id. */
const hints: Readonly<Record<string, (named: Named, event: ProviderEvent) => Row>> = {
  aga: (named, { data: { status } }) => hintAuthorization.row({ ...named, told_status: textOf(status) }),
  agp: (named) => hintPayment.row(named),
  pay: (named, { created_at, data: { status }, id, type }) =>
    hintPaymentRequest.row({
      ...named,
      event_id: id ?? null,
      event_type: textOf(type),
      told_status: textOf(status),
      told_at: created_at ?? named.at
    })
}

/**
 * Hosts the owners: each notice makes its object due now, and only the provider's answer to the look-up counts. gaps-3
 * G "Trust in webhook content"
 */
export const pixNoticesOwners = vendorOwners(
  PixNoticesWorker,
  Effect.gen(function* () {
    const connections = yield* PaymentsConnections
    const agentic = yield* AgenticWorker.client
    const payments = yield* PaymentWorker.client
    const commit = yield* Commit
    const vendors = yield* PixProviders

    const hintAt = Effect.fnUntraced(function* (
      environment_id: string,
      id: string,
      { received_at: at, subject }: ToldCall,
      event: ProviderEvent
    ) {
      const prefix = id.slice(0, id.indexOf("_"))
      const hint = Object.hasOwn(hints, prefix) ? hints[prefix] : undefined
      if (hint === undefined) return
      const row = hint({ environment_id, id, provider_connection_id: subject, at }, event)
      yield* Effect.orDie(commit.write([row]))
      const workers = prefix === "pay" ? payments : agentic
      workers.wake(environment_id)
    })

    return Effect.fnUntraced(function* (call: ToldCall) {
      const connection = yield* connections.byId(call.subject)
      if (connection === undefined) return
      const { credential, environment_id } = connection
      const notices = pixProviderOf(vendors, connection)?.notices
      if (notices === undefined) {
        const event = readProviderEvent(call.body)
        const { external_id: id } = event.data
        if (typeof id === "string") yield* hintAt(environment_id, id, call, event)
        return
      }
      const ids = credential === undefined ? [] : yield* notices.about(credential, call.body)
      // The vendor does not say now what it told of; it is asked again, and meanwhile the payments are looked up in turn.
      if (ids === undefined) return "again"
      for (const id of ids.slice(0, mostNamed)) yield* hintAt(environment_id, id, call, { ...untold, type: "payment" })
      return
    })
  })
)

/** A notice of which only the charge it names is read. */
const untold: ProviderEvent = { id: undefined, type: undefined, created_at: undefined, data: {} }
/** The most charges of one notice. */
const mostNamed = 256

/** Returns a vendor's text; null when it is empty or too long. */
const textOf = (value: unknown): string | null =>
  typeof value === "string" && value !== "" && value.length <= mostTold ? value : null
const mostTold = 255
