import type { ProviderEvent } from "@carteiro/provider/WebhookScheme.ts"
import { Effect } from "effect"
import type { Charge } from "./Charge.ts"
import type { ChargeRepo } from "./ChargeRepo.ts"

/** A charge of one account. */
interface NoticedCharge {
  readonly account_id: string
  readonly id: string
}

/**
 * Returns the charge that a vendor's event is about, among all accounts: by our id, or by the vendor's where the event
 * names no other; undefined when it is none of ours. gaps-3 G "Trust in webhook content"
 */
export const noticedCharge = (
  repo: ChargeRepo["Service"],
  rail: Charge["rail"],
  { data: { external_id, id } }: ProviderEvent
): Effect.Effect<NoticedCharge | undefined> => {
  if (typeof external_id === "string") {
    return Effect.map(repo.accountOf(external_id), (account_id) =>
      account_id === undefined ? undefined : { account_id, id: external_id }
    )
  }
  return typeof id === "string" ? repo.atProvider(rail, id) : Effect.undefined
}
