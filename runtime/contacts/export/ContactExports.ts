import { parseId } from "@carteiro/owners/Ids.ts"
import type { ContactExport } from "@carteiro/schema/contacts/Contact.ts"
import { ContactNotFound, type DataExportDisabled } from "@carteiro/schema/contacts/ContactErrors.ts"
import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import { formatTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import { Context, Effect, Layer } from "effect"
import { ContactRepo } from "../contact/ContactRepo.ts"
import { phoneCustomer, readConsentEvent, readContact } from "../contact/ContactState.ts"
import { MarketingStops } from "../contact/MarketingStops.ts"
import { DataRetention } from "../retention/DataRetention.ts"
import { CustomerMessages } from "./CustomerMessages.ts"

/** The most messages of an export. gaps-2 I "Export" */
const mostMessages = 1000

/** An export without the members that depend on the request. */
export type MadeExport = Omit<typeof ContactExport.Type, "trace_id" | "messages"> & {
  readonly messages: ReadonlyArray<object>
}

/** Collects all data about one customer, for the route and the dashboard. gaps-2 I "Export" */
export class ContactExports extends Context.Service<
  ContactExports,
  {
    make(
      environment: { readonly id: string; readonly kind: EnvironmentKind },
      id: string,
      now: number
    ): Effect.Effect<MadeExport, ContactNotFound | DataExportDisabled>
  }
>()("@carteiro/runtime/contacts/export/ContactExports") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* ContactRepo
      const retention = yield* DataRetention
      const messagesOf = yield* CustomerMessages
      const marketingStops = yield* MarketingStops
      return ContactExports.of({
        make: Effect.fnUntraced(function* (environment, id, now) {
          const contact = parseId("con", id) ? yield* repo.find(environment.id, id) : undefined
          if (contact === undefined) return yield* new ContactNotFound()
          yield* retention.allowExport(environment.id)
          const events = yield* repo.consentEvents(environment.id, contact.id)
          const customer = { type: phoneCustomer, key: contact.match_key }
          const messages = yield* messagesOf(environment, customer, mostMessages + 1)
          const stopped = yield* marketingStops(environment.id, [contact.match_key])
          return {
            object: "contact_export" as const,
            id: contact.id,
            contact: readContact(contact, environment.kind, stopped),
            consent_events: events.map(readConsentEvent),
            messages: messages.slice(0, mostMessages),
            truncated: messages.length > mostMessages,
            generated_at: formatTimestamp(now)
          }
        })
      })
    })
  )
}
