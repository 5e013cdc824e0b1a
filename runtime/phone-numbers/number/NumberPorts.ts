import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import type { RecentMessage } from "@carteiro/schema/phone-numbers/PhoneNumber.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Context, Effect } from "effect"
import type { NumberRow } from "./NumberRead.ts"
import type { RentalMonth } from "./RenewalState.ts"

/** The parts of a number on which its allowance depends. */
export type AllowedNumber = Pick<NumberRow, "status" | "messaging_tier" | "quality_rating">

/** Reads of the messages room about numbers and their messages. */
export class NumberTraffic extends Context.Service<
  NumberTraffic,
  {
    /** Returns the new recipients of the last 24 hours, by number. M-PHN-15 */
    recipients(
      environmentId: string,
      numberIds: ReadonlyArray<string>,
      now: number
    ): Effect.Effect<ReadonlyMap<string, number>>
    /** Returns the new recipients of the last 24 hours of all numbers of portfolios, by portfolio. U-LIM-01 */
    ofPortfolios(portfolioIds: ReadonlyArray<string>, now: number): Effect.Effect<ReadonlyMap<string, number>>
    /**
     * Returns how many new recipients a number may still message after so many of its own and of its portfolio; null when
     * it is unknown. M-PHN-16..19
     */
    remaining(number: AllowedNumber, used: number, sharedUsed: number | undefined): number | null
    /** Returns the last messages of a number in an environment, newest first. M-PHN-23 */
    recent(environmentId: string, numberId: string, limit: number): Effect.Effect<ReadonlyArray<RecentMessage>>
  }
>()("@carteiro/runtime/phone-numbers/number/NumberTraffic") {}

/**
 * Returns the charges of rented numbers in the present month, and whether they are paid. Amounts in 1/10,000 BRL, `now`
 * in milliseconds.
 */
export type RentalMonths = (
  organizationId: string,
  numberIds: ReadonlyArray<string>,
  now: number
) => Effect.Effect<ReadonlyMap<string, RentalMonth>>

/** The room that charges months provides it; the default reports no charges. M-PHN-30 */
export const RentalMonths = Context.Reference<RentalMonths>("@carteiro/runtime/phone-numbers/number/RentalMonths", {
  defaultValue: () => () => Effect.succeed(new Map())
})

/** A number that may be imported, and the rows that guard its import. */
export interface ImportableNumber {
  readonly phone: string
  readonly rows: ReadonlyArray<Row>
}

/** Reads of provider connections about numbers that an environment may import. */
export interface ImportSource {
  /** True when tenants may have accounts of their own. M-IMP-16 */
  readonly isActive: boolean
  /** Returns a number of a connected account as last listed, or the first refusal. M-IMP-05, M-IMP-14, M-IMP-15 */
  readonly find: (
    environmentId: string,
    connectionId: string,
    providerNumberId: string,
    now: number
  ) => Effect.Effect<ImportableNumber, ApiError>
}

/** The room of provider connections provides it; the default has no such accounts. */
export const ImportSource = Context.Reference<ImportSource>("@carteiro/runtime/phone-numbers/number/ImportSource", {
  defaultValue: () => ({ isActive: false, find: () => Effect.die(new Error("nobody has accounts")) })
})
