import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import type { PhoneManagementCoverage, PhoneManagementSummary } from "@carteiro/schema/phone-months/PhoneManagement.ts"
import { Context, type Effect } from "effect"

/** Whose numbers are shown. */
interface CoverageViewer {
  readonly organization_id: string
  readonly environment_id: string
  readonly environment: EnvironmentKind
}

/** A number with its place in the list. */
export interface ListedCoverage {
  readonly enrolled_at: number
  readonly enrollment_id: string
  readonly body: PhoneManagementCoverage
}

/** The coverage of an environment's numbers, as the API and people see it. */
export class CoverageReads extends Context.Service<
  CoverageReads,
  {
    /** All of an environment, newest enrollment first, and their summary. `now` in epoch milliseconds. C-PMGT-01..03 */
    all(
      viewer: CoverageViewer,
      now: number
    ): Effect.Effect<{ readonly rows: ReadonlyArray<ListedCoverage>; readonly summary: PhoneManagementSummary }>
  }
>()("@carteiro/runtime/phone-months/routes/CoverageReads") {}
