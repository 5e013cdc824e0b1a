import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { Context, type Effect } from "effect"
import type { Correction } from "./CorrectionRepo.ts"

/** How operators credit and debit accounts: they ask, and the account's owner posts it. gaps-3 D "production_blocked" */
export class Corrections extends Context.Service<
  Corrections,
  {
    /** Asks for it and answers its id; undefined when nobody has that account. */
    ask(
      accountId: string,
      correction: Omit<Correction, "id"> & { readonly reason: string },
      now: number
    ): Effect.Effect<string | undefined, ApiError>
    /**
     * The credit that the demonstration begins with, once an account and posted at once: nobody has moved it since it was
     * made. Boot contract, "Ready"
     */
    begin(accountId: string, amount: number, now: number): Effect.Effect<void, ApiError>
    /** Whether the owner has posted it. */
    isPosted(accountId: string, id: string): Effect.Effect<boolean>
  }
>()("@carteiro/runtime/billing/corrections/Corrections") {}
