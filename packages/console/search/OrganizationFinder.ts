import { parseId } from "@carteiro/owners/Ids.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { Effect } from "effect"
import type { Label } from "../kit/Language.ts"
import { addressOf } from "../kit/Lists.ts"
import { asVisitor, Operations } from "../kit/Operations.ts"
import type { Visit } from "../kit/Pages.ts"

/** One thing that was found, with the page that tells of it. */
export interface Hit {
  readonly what: Label
  readonly name: string
  readonly address: string
  /** True where what was typed is the whole of a name that others begin with or have in theirs; false where it is too little to tell. */
  readonly isExact?: boolean
  /** True for a customer, who is opened when the rest is about nobody else. */
  readonly isCustomer?: boolean
}

/** Returns what finds things of the whole organization by their ids: people, money, credential setup. */
export const makeOrganizationFinder = Effect.gen(function* () {
  const { "billing-payment-methods": methods, connectionDecisions, members, ownAccount, statements } = yield* Operations

  return Effect.fnUntraced(function* (visit: Visit, id: string): Effect.fn.Return<ReadonlyArray<Hit>, ApiError> {
    const caller = asVisitor(visit)
    if (id === visit.organizationId) return [{ what: "Organization", name: id, address: "/dashboard" }]
    if (parseId("mem", id)) {
      const member = yield* known(members.get(caller, { params: { member_id: id } }))
      return member === undefined ? [] : [{ what: "Member", name: member.name, address: `/dashboard/members/${id}` }]
    }
    if (parseId("ctu", id) && (yield* known(ownAccount.topup(caller, { params: { topup_id: id } }))) !== undefined) {
      return [{ what: "Top-up", name: id, address: `/dashboard/billing/top-up/${id}` }]
    }
    if (parseId("bpm", id) && (yield* methods.list(caller)).data.some((card) => card.id === id)) {
      return [{ what: "Saved card", name: id, address: "/dashboard/billing/cards" }]
    }
    if (parseId("pcs", id)) {
      const session = yield* known(connectionDecisions.setup(caller, { params: { setup_session_id: id } }))
      return session === undefined
        ? []
        : [{ what: "Credential setup session", name: id, address: `/dashboard/setup/${id}` }]
    }
    if (["led", "usg", "rsv", "ctu"].some((prefix) => id.startsWith(`${prefix}_`))) {
      const { data: entries } = yield* statements.entriesNamed(caller, { query: { id } })
      const address = addressOf("/dashboard/billing", { entry: id })
      return entries.length === 0 ? [] : [{ what: "Movement of the balance", name: id, address }]
    }
    return []
  })
})

/** Returns what was read; undefined for what is not there. */
const known = <A>(read: Effect.Effect<A, ApiError>): Effect.Effect<A | undefined, ApiError> =>
  Effect.catchIf(
    read,
    ({ status }) => status === 404,
    () => Effect.undefined
  )
