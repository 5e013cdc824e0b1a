import type { Credentials } from "@carteiro/http-edge/Routes.ts"
import type { MemberRole } from "@carteiro/schema/conventions/Access.ts"
import { Context, Effect } from "effect"

/** A person who is signed in to the console. */
export interface SignedInPerson {
  readonly organization_id: string
  readonly organization_suspended: boolean
  readonly role: MemberRole
  /** True for a request that holds a form token of the session. */
  readonly holds_form_token: boolean
}

/**
 * Returns who sent a request, by the cookie of the console, which answers this: `no_session` for a session that is unknown or
 * has ended. gaps-2 L "Setup session routes"
 */
export const SignedInPeople = Context.Reference<
  (
    credentials: Pick<Credentials, "cookie" | "csrfToken" | "now">
  ) => Effect.Effect<SignedInPerson | "no_cookie" | "no_session">
>("@carteiro/runtime/access/members/SignedInPeople", { defaultValue: () => () => Effect.succeed("no_cookie") })
