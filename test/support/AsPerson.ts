import type { RawRequest } from "@carteiro/http-edge/Routes.ts"
import { type CallerWithin, makeTypedCalls } from "@carteiro/http-edge/TypedCalls.ts"
import { realNow } from "@carteiro/owners/RealTime.ts"
import { scopesOf } from "@carteiro/schema/access/Roles.ts"
import type { MemberRole } from "@carteiro/schema/conventions/Access.ts"
import { PeopleApi } from "@carteiro/schema/PeopleApi.ts"
import { Effect } from "effect"
import type { TestEnvironment } from "./Tenants.ts"

const traceId = "0".repeat(32)

/** Returns the operations of people, and what makes a member of an environment's organization their caller. */
export const operationsOfPeople = Effect.gen(function* () {
  const operations = yield* makeTypedCalls(PeopleApi)
  const now = yield* realNow
  // A call from within the process takes these from the request that it is made for, and nothing else.
  const request = { authorization: [], traceId, requestId: "req_test", now, ip: "127.0.0.1" } as unknown as RawRequest
  const callerIn = (environment: TestEnvironment, role: MemberRole): CallerWithin => ({
    request,
    person: {
      organization_id: environment.organization_id,
      organization_suspended: false,
      environment_id: environment.id,
      member: { id: `mem_${role}`, role },
      scopes: scopesOf(role)
    }
  })
  return { operations, callerIn }
})
