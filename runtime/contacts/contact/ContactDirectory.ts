import type { ContactEntry, OptInStatus } from "@carteiro/schema/contacts/Contact.ts"
import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import type { Walked } from "@carteiro/tables/BoundedWalk.ts"
import { Context, Effect, Layer, Result } from "effect"
import { readStoppedPhone } from "./ContactPhone.ts"
import { ContactRepo } from "./ContactRepo.ts"
import { readContact } from "./ContactState.ts"
import { MarketingStops } from "./MarketingStops.ts"

type ContactsOf = { readonly id: string; readonly kind: EnvironmentKind; readonly default_region: string }

/** Lists the contacts of an environment for operators. gaps-2 I "Contact record" */
export class ContactDirectory extends Context.Service<
  ContactDirectory,
  {
    /** Returns contacts newest first, before the contact with that id, by a bounded walk. */
    list(
      environment: ContactsOf,
      wanted: {
        readonly phone?: string | undefined
        readonly opt_in_status?: OptInStatus | undefined
        readonly before?: string | undefined
      },
      count: number
    ): Effect.Effect<Walked<ContactEntry>>
  }
>()("@carteiro/runtime/contacts/contact/ContactDirectory") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* ContactRepo
      const marketingStops = yield* MarketingStops
      return ContactDirectory.of({
        list: Effect.fnUntraced(function* ({ default_region, id, kind }, wanted, count) {
          const { before, opt_in_status, phone } = wanted
          const read = phone === undefined ? undefined : readStoppedPhone(phone, default_region, "phone")
          if (read !== undefined && Result.isFailure(read)) return { rows: [], walked_to: null }
          const match_key = read?.success.match_key
          const { rows, walked_to } = yield* repo.list(id, { match_key, opt_in_status }, before, count)
          const stopped = yield* marketingStops(
            id,
            rows.map((row) => row.match_key)
          )
          return { rows: rows.map((row) => readContact(row, kind, stopped)), walked_to }
        })
      })
    })
  )
}
