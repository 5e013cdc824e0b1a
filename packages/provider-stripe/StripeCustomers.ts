import type { CardProvider } from "@carteiro/provider/payments/CardProvider.ts"
import { Effect } from "effect"
import { externalIdOf, madeBy, readCustomer } from "./StripeAnswers.ts"
import type { StripeCall } from "./StripeClient.ts"

/**
 * Finds the customer with our id, or makes it. The search lags by a minute or so, and a repeat under the same key
 * answers as the first call for a day: one of them finds the customer of every earlier call. In countries without a
 * search, which refuse it, the key alone finds it.
 */
export const customerBy = (call: StripeCall): CardProvider["customer"] =>
  Effect.fnUntraced(function* (externalId) {
    const query = `metadata['external_id']:'${externalId.replaceAll(/['"\\]/g, "")}'`
    const search = yield* call((stripe) => stripe.customers.search({ query, limit: 10 }))
    if (search._tag === "Unknown") return search
    if (search._tag === "StripeRefusal" && search.refusal.code === "credentials_invalid") return search.refusal
    const matches = search._tag === "Body" && Array.isArray(search.body.data) ? search.body.data : []
    // The oldest, should there be two.
    const own = matches.filter((one) => externalIdOf(one) === externalId).at(-1)
    const known = own === undefined ? undefined : readCustomer(own)
    if (known !== undefined) return known
    const made = yield* call((stripe) =>
      stripe.customers.create({ metadata: { external_id: externalId } }, { idempotencyKey: externalId })
    )
    return madeBy(readCustomer)(made)
  })
