import type { CallerWithin, TypedCalls } from "@carteiro/http-edge/TypedCalls.ts"
import type { Api } from "@carteiro/schema/Api.ts"
import { Context } from "effect"
import type { EnvironmentEntry } from "../../access/Access.ts"
import type { Visit } from "./Pages.ts"

/**
 * The operations of the contract, for pages: what a form does is the call that an integrator would make, so scope, credit,
 * families and validation are those of the API. Decision 0158
 */
export class Operations extends Context.Service<Operations, TypedCalls<(typeof Api)["groups"]>>()(
  "@carteiro/runtime/dashboard/kit/Operations"
) {}

/** Returns a visitor as the caller of operations in an environment; what a form does has the form's key. Decision 0149 */
export const asVisitor = ({ personIn, request, sent }: Visit, { id }: Pick<EnvironmentEntry, "id">): CallerWithin => ({
  request,
  idempotencyKey: sent?.key,
  person: personIn(id)
})
