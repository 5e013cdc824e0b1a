import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import type { PhoneManagementCoverage, PhoneManagementSummary } from "@carteiro/schema/phone-months/PhoneManagement.ts"
import { Context, type Effect } from "effect"

/** The environment whose numbers are read. */
interface CoverageViewer {
  readonly organization_id: string
  readonly environment_id: string
  readonly environment: EnvironmentKind
}

/** A number with its position in the list. */
export interface ListedCoverage {
  readonly enrolled_at: number
  readonly enrollment_id: string
  readonly body: PhoneManagementCoverage
}

/** Reads the coverage of an environment's numbers, for the API and the dashboard. */
export class CoverageReads extends Context.Service<
  CoverageReads,
  {
    /**
     * Returns all numbers of an environment, newest enrollment first, and their summary. `now` in epoch milliseconds.
     * C-PMGT-01..03
     */
    all(
      viewer: CoverageViewer,
      now: number
    ): Effect.Effect<{ readonly rows: ReadonlyArray<ListedCoverage>; readonly summary: PhoneManagementSummary }>
  }
>()("@carteiro/runtime/phone-months/months/CoverageReads") {}
