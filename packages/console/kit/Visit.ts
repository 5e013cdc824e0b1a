import type { RawRequest } from "@carteiro/http-edge/Routes.ts"
import type { RealInstant } from "@carteiro/owners/RealTime.ts"
import type { Effect } from "effect"
import type { EnvironmentEntry } from "../ports/Environments.ts"
import type { Session } from "../ports/Sessions.ts"
import type { PeopleOfMember } from "./People.ts"

/** One request of a signed-in member. */
export interface Visit {
  readonly request: RawRequest
  readonly session: Session
  /** The token of the session's cookie. */
  readonly token: string
  readonly organizationId: string
  readonly csrf: string
  /** The form that was posted; undefined where a page is only read. */
  readonly sent?: SentForm
  /** Real time, whatever the clock of the environment. */
  readonly now: RealInstant
  /** The time zone that the visitor reads times in. */
  readonly zone: string
  /** Returns the member as the caller of operations in an environment, the same for all that a request asks there. */
  readonly personIn: PeopleOfMember
  /** The organization's environments, read once a request. */
  readonly environments: Effect.Effect<ReadonlyArray<EnvironmentEntry>>
  /** Owners and admins of an organization that is not suspended. */
  readonly mayChange: boolean
}

/** A form as its page made it. Decision 0149 */
interface SentForm {
  /** The idempotency key of what it does. */
  readonly key: string
  /** When its page was made, epoch milliseconds. */
  readonly shownAt: number
  /** For each change that its operations made, whether it repeated one of the same form. */
  readonly changes: Array<boolean>
}
