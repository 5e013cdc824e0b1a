import type { AgenticProvider } from "@carteiro/provider/payments/AgenticProvider.ts"
import { Clock, Effect } from "effect"
import { type BridgeCheck, expected } from "./BridgeCheck.ts"
import type { PixCheckOptions } from "./PixChecks.ts"

/** The names by which the vendor knows the merchant's agent. */
export interface AgenticCheckOptions extends Pick<PixCheckOptions, "key" | "id"> {
  readonly participant: string
  readonly agent: string
}

/** The promises of vendor-wires "pixprov1, agentic payments" that can be seen from outside without a person's consent. */
export const agenticChecks = (provider: AgenticProvider, options: AgenticCheckOptions): ReadonlyArray<BridgeCheck> => {
  const { id, key } = options
  const account = { key, base_url: null }
  return [
    {
      promise: "GET /v1/banks lists a bank that is available",
      writes: false,
      run: Effect.map(provider.banks(account), (answer) =>
        answer._tag === "Banks" && answer.banks.some(({ status }) => status === "available")
          ? undefined
          : expected("a bank with id, name, an ispb of eight digits and the status available", answer)
      )
    },
    {
      promise: "an authorization and a payment that do not exist are found by no id",
      writes: false,
      run: Effect.gen(function* () {
        const never = `${id}.never`
        for (const answer of [
          yield* provider.authorization(account, never),
          yield* provider.authorizationOf(account, never),
          yield* provider.payment(account, never),
          yield* provider.paymentOf(account, never)
        ]) {
          if (answer._tag !== "Absent") return expected("404 by id, and an empty list by external_id", answer)
        }
        return undefined
      })
    },
    {
      promise: "an authorization is made once for an id, pays nothing before a person gives it, and is revoked twice",
      writes: true,
      run: oneAuthorization(provider, options)
    }
  ]
}

const oneAuthorization = Effect.fnUntraced(function* (
  provider: AgenticProvider,
  { agent, id, key, participant }: AgenticCheckOptions
): Effect.fn.Return<string | undefined> {
  const account = { key, base_url: null }
  const listed = yield* provider.banks(account)
  const bank = listed._tag === "Banks" ? listed.banks.find(({ status }) => status === "available") : undefined
  if (bank === undefined) return expected("a bank that is available", listed)
  const order = {
    external_id: `${id}.authorization`,
    participant_id: participant,
    agent_id: agent,
    bank_id: bank.id,
    customer: { name: "Ana Souza", tax_id: "12345678909" },
    max_amount_centavos: 5000,
    expires_at: (yield* Clock.currentTimeMillis) + 3_600_000,
    return_url: "https://carteiro.invalid/back"
  }
  const first = yield* provider.authorize(account, order)
  if (first._tag !== "Authorization" || first.status !== "pending" || first.authorization_url === null) {
    return expected("a pending authorization with its authorization_url", first)
  }
  const seen = [
    yield* provider.authorize(account, order),
    yield* provider.authorization(account, first.id),
    yield* provider.authorizationOf(account, order.external_id)
  ]
  for (const answer of seen) {
    if (answer._tag !== "Authorization" || answer.id !== first.id || answer.external_id !== order.external_id) {
      return expected(`the authorization ${first.id} of ${order.external_id}`, answer)
    }
  }
  const payment = yield* provider.pay(account, {
    external_id: `${id}.payment`,
    authorization_id: first.id,
    amount_centavos: 1001,
    description: null
  })
  if (payment._tag !== "Refused" && !(payment._tag === "Payment" && payment.status === "failed")) {
    return expected("a refusal of a payment that nobody authorized", payment)
  }
  for (const time of ["first", "second"]) {
    const revoked = yield* provider.revoke(account, first.id)
    if (revoked._tag !== "Authorization" || revoked.status !== "revoked") {
      return expected(`revoked from the ${time} revoke`, revoked)
    }
  }
  return undefined
})
