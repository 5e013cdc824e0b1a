import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Context, type Effect } from "effect"

/** The account whose numbers are counted. */
interface RosterHolder {
  readonly organization_id: string
  readonly environment_id: string
  readonly environment: EnvironmentKind
}

/**
 * The plan under which a number is added, and the rows that let only one of two concurrent commits use the last free
 * place.
 */
export interface RosterRoom {
  readonly plan: { readonly throughput_tier: "starter" | "growth" | "scale" }
  readonly rows: ReadonlyArray<Row>
  /** The most numbers of the account; null for no limit. */
  readonly max_phones: number | null
}

/** Counts the numbers that an account may have. gaps-3 E "Phone count for plan_phone_limit_reached" */
export class Rosters extends Context.Service<
  Rosters,
  {
    /** Returns the room for one more number, or refuses by the plan. A sandbox without a plan has no limit. M-PHN-52 */
    room(holder: RosterHolder): Effect.Effect<RosterRoom, ApiError>
  }
>()("@carteiro/runtime/phone-numbers/number/Rosters") {}
