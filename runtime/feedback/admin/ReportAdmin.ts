import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { Context, type Effect } from "effect"
import type { Disposition, ReportStatus } from "../report/ReportStatus.ts"

/** How a report was answered; instants in milliseconds. */
export interface Resolution {
  readonly disposition: string
  readonly public_summary: string
  readonly published_at: number
}

/** A whole report, as its organization and the operators see it; instants in milliseconds. */
export interface ReportEntry {
  readonly id: string
  readonly organization_id: string
  readonly project_id: string
  readonly environment_id: string
  readonly origin: "api" | "dashboard"
  readonly status: string
  readonly message: string
  readonly related_error: Readonly<Record<string, string>> | undefined
  readonly context: Readonly<Record<string, string>> | undefined
  readonly redacted: boolean
  readonly created_at: number
  readonly updated_at: number
  /** Newest first. */
  readonly resolutions: ReadonlyArray<Resolution>
}

/** Where reports are read and answered; no route of the API changes them. gaps-1 H "Status and disposition values" */
export class ReportAdmin extends Context.Service<
  ReportAdmin,
  {
    find(environmentId: string, id: string): Effect.Effect<ReportEntry | undefined>
    /** Reports of one environment, newest first, after the one with that id. */
    list(environmentId: string, after: string | undefined, count: number): Effect.Effect<ReadonlyArray<ReportEntry>>
    /** For operators: by id alone. */
    findAnywhere(id: string): Effect.Effect<ReportEntry | undefined>
    /** For operators: of every organization or one, newest first. */
    listEverywhere(
      wanted: { readonly status?: ReportStatus | undefined; readonly organization_id?: string | undefined },
      count: number
    ): Effect.Effect<ReadonlyArray<ReportEntry>>
    /** Moves a report on, and publishes a resolution when one is given. */
    move(
      id: string,
      to: ReportStatus,
      resolution: { readonly disposition: Disposition; readonly public_summary: string } | undefined,
      now: number
    ): Effect.Effect<ReportEntry, ApiError>
  }
>()("@carteiro/runtime/feedback/admin/ReportAdmin") {}
