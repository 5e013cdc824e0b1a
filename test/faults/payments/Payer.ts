import { Effect } from "effect"
import { askUntilFinal, type Client, isFinal } from "../Client.ts"
import { type Ended, fields } from "../Log.ts"
import type { Seeds } from "../Seeds.ts"
import type { PixVendor } from "./PixVendor.ts"

/** What payments are asked for on. */
export interface PaymentStage {
  readonly client: Client
  readonly vendor: PixVendor
  readonly stopped: () => boolean
}

/** A payment somebody wants asked for once, whatever happens to the answers. */
interface Intent {
  readonly marker: string
  readonly key: string
  readonly amount: number
  /** A page of the vendor, or a code; the account's standard where the vendor has one way alone. */
  readonly mode: "hosted_checkout" | "transparent_pix" | undefined
}

/** Those without a final answer, to be asked again once the product is well again. */
export type UnansweredPayments = Map<string, Intent>

const pace = [150, 500] as const
const centavos = [100, 5_000] as const

/** One merchant: asks for payments as real callers do, cancels some, while payers decide others at the vendor. */
export const merchant = Effect.fnUntraced(function* (
  stage: PaymentStage,
  name: string,
  seeds: Seeds,
  unanswered: UnansweredPayments
) {
  const known: Array<string> = []
  for (let turn = 0; !stage.stopped(); turn++) {
    yield* Effect.sleep(seeds.between(...pace))
    const earlier = known.at(-seeds.between(1, 10))
    if (earlier !== undefined && seeds.chance(0.25)) yield* cancel(stage, name, earlier)
    if (earlier !== undefined && seeds.chance(0.35)) {
      stage.vendor.decide(earlier, seeds.pick(["paid", "paid", "failed", "expired"]))
    }
    const marker = `${name}-${turn}`
    const [first, second = first] = stage.vendor.modes
    const mode = turn % 2 === 0 ? first : second
    const intent: Intent = { marker, key: `key ${marker}`, amount: seeds.between(...centavos), mode }
    const accepted = yield* insist(stage, name, seeds, intent)
    if (accepted?.phase === "ok") known.push(String(fields(accepted.text).id))
    else if (accepted === undefined) unanswered.set(marker, intent)
  }
})

/** Asks again under the same key until every intent has its final answer. */
export const askForPaymentsAgain = (stage: PaymentStage, unanswered: UnansweredPayments, tries: number) =>
  askUntilFinal(unanswered, tries, (intent) => create(stage, "insister", intent))

/** Simultaneous copies of one request, then retries with the same key until an answer is final or the load stops. */
const insist = Effect.fnUntraced(function* (stage: PaymentStage, name: string, seeds: Seeds, intent: Intent) {
  const copies = seeds.chance(0.3) ? [0, 1] : [0]
  const first = yield* Effect.forEach(copies, () => create(stage, name, intent), { concurrency: "unbounded" })
  for (let ends: ReadonlyArray<Ended> = first; ; ends = [yield* create(stage, name, intent)]) {
    const final = ends.find(({ phase }) => phase === "ok") ?? ends.find(isFinal)
    if (final !== undefined || stage.stopped()) return final
    yield* Effect.sleep(seeds.between(50, 250))
  }
})

const create = (
  { client }: PaymentStage,
  name: string,
  { amount, key, marker, mode }: Intent
): Effect.Effect<Ended> => {
  const body = {
    amount_brl_centavos: amount,
    external_reference: marker,
    description: `payment ${marker}`,
    customer_email: "ana@example.com",
    ...(mode === undefined ? undefined : { provider_options: { pixprov2: { mode } } })
  }
  return client.call(name, { kind: "payment", marker, key }, { method: "POST", path: "/v1/payments", body, key })
}

const cancel = ({ client }: PaymentStage, name: string, payment_id: string) =>
  client.call(
    name,
    { kind: "cancel_payment", payment_id },
    { method: "POST", path: `/v1/payments/${payment_id}/cancel`, body: {} }
  )
