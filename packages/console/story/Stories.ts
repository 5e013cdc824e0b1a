import type { Subject } from "@carteiro/owners/Subject.ts"
import type { AuditEntry } from "@carteiro/schema/audit/AuditLogApi.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { Context, type Effect } from "effect"
import type { Html } from "../kit/Html.ts"
import type { Label } from "../kit/Language.ts"
import type { Visit } from "../kit/Pages.ts"
import type { EnvironmentEntry } from "../ports/Environments.ts"

/** Deliveries shown of one thing: each of its few events, to each of at most twenty endpoints. */
export const mostDeliveries = 100

/** A call of the API about one thing, with the ids in its path. */
export interface StoryCall {
  readonly title: Label
  readonly method: "GET" | "POST" | "DELETE"
  readonly path: string
  readonly body?: unknown
}

/** A change that a person made to a thing in the console. */
export interface Change extends Pick<AuditEntry, "action" | "after" | "created_at"> {
  /** The name of the person. */
  readonly by: Html
}

/** Reads what the page of each thing tells beside the thing itself: its request, deliveries, ledger entries and calls. */
export class Stories extends Context.Service<
  Stories,
  {
    /** Returns a link to the request that made a thing; undefined where the request log no longer holds it. */
    request(visit: Visit, environment: EnvironmentEntry, traceId: string): Effect.Effect<Html | undefined, ApiError>
    /** Returns what people changed of a thing in the console, oldest first. */
    changes(visit: Visit, id: string): Effect.Effect<ReadonlyArray<Change>, ApiError>
    /** Returns the section of webhook deliveries about a thing; those of a message are found by the customer it is about. */
    deliveries(
      visit: Visit,
      environment: EnvironmentEntry,
      sourceId: string,
      subject?: Subject | null
    ): Effect.Effect<Html, ApiError>
    /** Returns the section of ledger entries about things: usage of a message, reservations of a payment. */
    ledger(visit: Visit, environment: EnvironmentEntry, ids: ReadonlyArray<string>): Effect.Effect<Html, ApiError>
    /** Returns the calls of the API about a thing, to copy as curl, SDK and command line. */
    calls(shownCalls: ReadonlyArray<StoryCall>): Html
  }
>()("@carteiro/console/story/Stories") {}
