import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Context, type Effect } from "effect"

/** Whose numbers are counted. */
interface RosterHolder {
  readonly organization_id: string
  readonly environment_id: string
  readonly environment: EnvironmentKind
}

/** The plan a number is added under, and the rows that let one of two pass who add the last. */
export interface RosterRoom {
  readonly plan: { readonly throughput_tier: "starter" | "growth" | "scale" }
  readonly rows: ReadonlyArray<Row>
  /** Numbers the account may have; null for as many as it likes. */
  readonly max_phones: number | null
}

/** How many numbers an account may have. gaps-3 E "Phone count for plan_phone_limit_reached" */
export class Rosters extends Context.Service<
  Rosters,
  {
    /** Room for one number more, or the plan's refusal. A sandbox without a plan has no limit. M-PHN-52 */
    room(holder: RosterHolder): Effect.Effect<RosterRoom, ApiError>
  }
>()("@carteiro/runtime/phone-numbers/number/Rosters") {}
