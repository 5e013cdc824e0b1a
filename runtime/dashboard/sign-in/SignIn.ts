import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { Context, type Effect } from "effect"

/** How long a sign-in link works: 15 minutes; milliseconds. gaps-1 C "Dashboard sessions and roles" */
export const linkLifetime = 900_000

/** The one way into the dashboard. gaps-1 C "First administrative key and bootstrap", "Dashboard sessions and roles" */
export class SignIn extends Context.Service<
  SignIn,
  {
    /** A URL that signs the member in once, within 15 minutes; only a hash of what it holds is kept. */
    link(organizationId: string, memberId: string, now: number): Effect.Effect<string, ApiError>
  }
>()("@carteiro/runtime/dashboard/sign-in/SignIn") {}
