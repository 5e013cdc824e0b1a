import { parseId } from "@carteiro/owners/Ids.ts"
import type { ConsentEvent, ContactEntry, OptInStatus } from "@carteiro/schema/contacts/Contact.ts"
import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import type { Walked } from "@carteiro/tables/BoundedWalk.ts"
import { Context, Effect, Layer, Result } from "effect"
import { CustomerIds } from "../../customers/CustomerIds.ts"
import { readStoppedPhone } from "./ContactPhone.ts"
import { ContactRepo } from "./ContactRepo.ts"
import { readConsentEvent, readContact } from "./ContactState.ts"
import { MarketingStops } from "./MarketingStops.ts"

type ContactsOf = { readonly id: string; readonly kind: EnvironmentKind; readonly default_region: string }

/**
 * Reads contacts and their choices for the dashboard and operators, within one environment. gaps-2 I "Contact record"
 */
export class ContactDirectory extends Context.Service<
  ContactDirectory,
  {
    /** Returns contacts newest first, before the contact with that id, by a bounded walk. */
    list(
      environment: ContactsOf,
      wanted: {
        readonly phone?: string | undefined
        /** The platform's id of a customer, as the list of the API takes it. */
        readonly user_id?: string | undefined
        readonly source?: string | undefined
        readonly opt_in_status?: OptInStatus | undefined
        readonly before?: string | undefined
      },
      count: number
    ): Effect.Effect<Walked<ContactEntry>>
    find(environment: Omit<ContactsOf, "default_region">, id: string): Effect.Effect<ContactEntry | undefined>
    /** Returns every choice of a contact, oldest first. */
    choices(environmentId: string, id: string): Effect.Effect<ReadonlyArray<ConsentEvent>>
  }
>()("@carteiro/runtime/contacts/contact/ContactDirectory") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* ContactRepo
      const customerIds = yield* CustomerIds
      const marketingStops = yield* MarketingStops
      return ContactDirectory.of({
        list: Effect.fnUntraced(function* ({ default_region, id, kind }, wanted, count) {
          const { before, opt_in_status, phone, source, user_id } = wanted
          const read = phone === undefined ? undefined : readStoppedPhone(phone, default_region, "phone")
          if (read !== undefined && Result.isFailure(read)) return { rows: [], walked_to: null }
          const of_phone = read?.success.match_key
          const of_id = user_id === undefined ? of_phone : (yield* customerIds.find(id, user_id)).key
          // A phone and an id of two people name nobody.
          const match_key = of_phone === undefined || of_phone === of_id ? of_id : ""
          const { rows, walked_to } = yield* repo.list(id, { match_key, opt_in_status, source }, before, count)
          const stopped = yield* marketingStops(
            id,
            rows.map((row) => row.match_key)
          )
          return { rows: rows.map((row) => readContact(row, kind, stopped)), walked_to }
        }),
        find: Effect.fnUntraced(function* (environment, id) {
          const row = parseId("con", id) ? yield* repo.find(environment.id, id) : undefined
          if (row === undefined) return undefined
          return readContact(row, environment.kind, yield* marketingStops(environment.id, [row.match_key]))
        }),
        choices: (environmentId, id) =>
          Effect.map(repo.consentEvents(environmentId, id), (rows) => rows.map(readConsentEvent))
      })
    })
  )
}
