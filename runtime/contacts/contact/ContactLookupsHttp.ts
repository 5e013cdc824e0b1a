import { reply } from "@carteiro/http-edge/Reply.ts"
import { Routes } from "@carteiro/http-edge/Routes.ts"
import { ContactLookupsApi } from "@carteiro/schema/contacts/ContactLookupsApi.ts"
import { Effect } from "effect"
import { Environments } from "../../access/Access.ts"
import { ContactRepo } from "./ContactRepo.ts"
import { readConsentEvent } from "./ContactState.ts"

/** Operations of people that look contacts up. Decision 0155 */
export const ContactLookupsHttp = Routes.group(
  ContactLookupsApi,
  Effect.gen(function* () {
    const contacts = yield* ContactRepo
    const environments = yield* Environments

    return Routes.handlers(ContactLookupsApi, {
      choices: Effect.fnUntraced(function* ({ caller, params, traceId }) {
        const rows = yield* contacts.consentEvents(caller.environment_id, params.contact_id)
        return reply({ traceId }, 200, { object: "list", data: rows.map(readConsentEvent) })
      }),

      named: Effect.fnUntraced(function* ({ caller, query, traceId }) {
        const own = (yield* environments.list(caller.organization_id)).map(({ id }) => id)
        const rows = yield* contacts.named(own, query.name, Number(query.limit))
        const data = rows.map((row) => ({ ...row, object: "named_contact" as const }))
        return reply({ traceId }, 200, { object: "list", data })
      })
    })
  })
)
