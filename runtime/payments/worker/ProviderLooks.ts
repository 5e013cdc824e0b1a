import type { AgenticAccount, AgenticProvider } from "@carteiro/provider/payments/AgenticProvider.ts"
import { Effect } from "effect"
import { centavosOf, type PaymentSeen, type PaymentTask } from "../agentic/AgenticPayment.ts"
import type { AuthorizationSeen, AuthorizationTask } from "../agentic/Authorization.ts"

/** An account at the provider, with its participant id there. */
export interface ConnectedAgentic extends AgenticAccount {
  readonly participant_id: string | null
  readonly agent_id: string | null
}

/** Runs the step of an authorization at its provider. */
export const lookAtAuthorization = Effect.fnUntraced(function* (
  provider: AgenticProvider,
  account: ConnectedAgentic,
  task: AuthorizationTask
): Effect.fn.Return<AuthorizationSeen> {
  const { bank_id, customer_name, customer_tax_id, expires_at, id, max_amount, return_url, step } = task
  const known = task.provider_authorization_id
  // An answer about another object does not count.
  const ours = (seen: AuthorizationSeen): AuthorizationSeen =>
    seen._tag === "Authorization" && (seen.external_id !== id || (known !== null && seen.id !== known))
      ? { _tag: "Unknown" }
      : seen
  const find = Effect.suspend(() =>
    Effect.map(known === null ? provider.authorizationOf(account, id) : provider.authorization(account, known), ours)
  )
  const takeBack = Effect.fnUntraced(function* (there: string) {
    const told = ours(yield* provider.revoke(account, there))
    // A refusal does not show the status, which may already be closed.
    return told._tag === "Refused" ? ours(yield* provider.authorization(account, there)) : told
  })
  switch (step) {
    case "create":
      return ours(
        yield* provider.authorize(account, {
          external_id: id,
          participant_id: account.participant_id,
          agent_id: account.agent_id,
          bank_id,
          customer: { name: customer_name, tax_id: customer_tax_id },
          max_amount_centavos: centavosOf(max_amount),
          expires_at,
          return_url
        })
      )
    case "find":
    case "read":
      return yield* find
    case "revoke": {
      if (known !== null) return yield* takeBack(known)
      const found = yield* find
      return found._tag === "Authorization" ? yield* takeBack(found.id) : found
    }
  }
})

/** Runs the step of a payment at its provider. */
export const lookAtPayment = (
  provider: AgenticProvider,
  account: AgenticAccount,
  task: PaymentTask
): Effect.Effect<PaymentSeen> => {
  const { amount, description, id, provider_authorization_id, provider_payment_id, step } = task
  if (step !== "create") {
    return provider_payment_id === null
      ? provider.paymentOf(account, id)
      : provider.payment(account, provider_payment_id)
  }
  return provider.pay(account, {
    external_id: id,
    authorization_id: provider_authorization_id ?? "",
    amount_centavos: centavosOf(amount),
    description
  })
}
