import type { CallerWithin, TypedCalls } from "@carteiro/http-edge/TypedCalls.ts"
import type { Api } from "@carteiro/schema/Api.ts"
import type { PeopleApi } from "@carteiro/schema/PeopleApi.ts"
import { Context, Effect } from "effect"
import type { EnvironmentEntry } from "../ports/Environments.ts"
import type { Visit } from "./Visit.ts"

/**
 * The operations of the contract, for pages: what a form does is the call that an integrator would make, so scope, credit,
 * families and validation are those of the API. Beside them stand the operations of people, which no key reaches. Decisions
 * 0155, 0158
 */
export class Operations extends Context.Service<
  Operations,
  TypedCalls<(typeof Api)["groups"] & (typeof PeopleApi)["groups"]>
>()("@carteiro/console/kit/Operations") {}

/**
 * Returns a visitor as the caller of operations in an environment, or of those about the organization; what a form does has
 * the form's key. Decision 0149
 */
export const asVisitor = (
  { personIn, request, sent }: Visit,
  environment?: Pick<EnvironmentEntry, "id">
): CallerWithin => ({
  request,
  idempotencyKey: sent?.key,
  onChange: sent && ((isRepeated) => void sent.changes.push(isRepeated)),
  person: personIn(environment?.id)
})

/**
 * Returns a visitor as the caller of operations that move the organization's own money: in one of its production
 * environments, so that a repeated form is the same call; without any project for the organization alone.
 */
export const asPayer = (visit: Visit): Effect.Effect<CallerWithin> =>
  Effect.map(visit.environments, (all) =>
    asVisitor(
      visit,
      all.find(({ kind }) => kind === "production")
    )
  )
