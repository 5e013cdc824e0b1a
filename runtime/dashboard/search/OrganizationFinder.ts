import { parseId } from "@carteiro/owners/Ids.ts"
import { Effect } from "effect"
import { Members } from "../../access/Access.ts"
import { AccountDirectory } from "../../billing/Billing.ts"
import { SetupActions } from "../../provider-connections/ProviderConnections.ts"
import type { Label } from "../kit/Language.ts"
import { addressOf } from "../kit/Lists.ts"

/** One thing that was found, with the page that tells of it. */
export interface Hit {
  readonly what: Label
  readonly name: string
  readonly address: string
}

/** Returns what finds things of the whole organization by their ids: people, money, credential setup. A-CONV-21 */
export const makeOrganizationFinder = Effect.gen(function* () {
  const members = yield* Members
  const accounts = yield* AccountDirectory
  const setups = yield* SetupActions

  return Effect.fnUntraced(function* (organization: string, id: string): Effect.fn.Return<ReadonlyArray<Hit>> {
    if (id === organization) return [{ what: "Organization", name: id, address: "/dashboard" }]
    if (parseId("mem", id)) {
      const member = yield* members.find(organization, id)
      return member === undefined ? [] : [{ what: "Member", name: member.name, address: `/dashboard/members/${id}` }]
    }
    if (parseId("ctu", id) && (yield* accounts.topup(organization, id)) !== undefined) {
      return [{ what: "Top-up", name: id, address: `/dashboard/billing/top-up/${id}` }]
    }
    if (parseId("bpm", id) && (yield* accounts.cards(organization)).cards.some((card) => card.id === id)) {
      return [{ what: "Saved card", name: id, address: "/dashboard/billing/cards" }]
    }
    if (parseId("pcs", id)) {
      const isThere = yield* setups.find(organization, id).pipe(
        Effect.as(true),
        Effect.catch(() => Effect.succeed(false))
      )
      return isThere ? [{ what: "Credential setup session", name: id, address: `/dashboard/setup/${id}` }] : []
    }
    if (["led", "usg", "rsv", "ctu"].some((prefix) => id.startsWith(`${prefix}_`))) {
      const entries = yield* accounts.entriesNamed(organization, id)
      const address = addressOf("/dashboard/billing", { entry: id })
      return entries.length === 0 ? [] : [{ what: "Movement of the balance", name: id, address }]
    }
    return []
  })
})
