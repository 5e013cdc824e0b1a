import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { Context, type Effect } from "effect"
import type { Member, Organization, UserCodeLock } from "../../access/Access.ts"

/** How long a session lasts: 12 hours; milliseconds. gaps-1 C "Dashboard sessions and roles" */
export const sessionLifetime = 43_200_000

/** Somebody who is signed in, as rows say it now. */
export interface Session {
  readonly organization: Organization
  readonly member: Member
  /** Wrong user codes typed in this session. gaps-1 E "Verification page" */
  readonly lock: UserCodeLock
  /** Belongs into every form of this session. */
  readonly csrf: string
}

/** Sessions of the dashboard; cookies hold tokens, rows hold hashes. gaps-1 C "Dashboard sessions and roles" */
export class Sessions extends Context.Service<
  Sessions,
  {
    /** Whom a link would sign in; undefined once it was used or has ended. Looking does not use it. */
    peek(linkToken: string, now: number): Effect.Effect<Pick<Session, "organization" | "member"> | undefined>
    /** Uses a link up and begins a session; answers its token. Of two who come together one gets in. */
    begin(linkToken: string, now: number): Effect.Effect<string | undefined, ApiError>
    /** The session of a cookie, while it lasts and its member is active. */
    find(token: string, now: number): Effect.Effect<Session | undefined>
    /** Whether a form came from a page of this session. */
    csrfHolds(token: string, csrf: string): boolean
    end(token: string, now: number): Effect.Effect<void, ApiError>
    /** Counts one more wrong user code; answers the lock after it. */
    wrongCode(token: string, now: number): Effect.Effect<UserCodeLock, ApiError>
    /** The value of a form shown before anybody is signed in, bound to a cookie's nonce. */
    formValue(nonce: string): string
    formHolds(nonce: string, value: string): boolean
    newNonce(): string
  }
>()("@carteiro/runtime/dashboard/kit/Sessions") {}
