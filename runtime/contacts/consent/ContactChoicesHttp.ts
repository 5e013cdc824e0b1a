import { reply } from "@carteiro/http-edge/Reply.ts"
import { Routes } from "@carteiro/http-edge/Routes.ts"
import { ContactChoicesApi } from "@carteiro/schema/contacts/ContactChoicesApi.ts"
import { Effect } from "effect"
import { ContactRepo } from "../contact/ContactRepo.ts"
import { readConsentEvent } from "../contact/ContactState.ts"

/** Operations of people about the choices of a contact. Decision 0155 */
export const ContactChoicesHttp = Routes.group(
  ContactChoicesApi,
  Effect.gen(function* () {
    const contacts = yield* ContactRepo

    return Routes.handlers(ContactChoicesApi, {
      list: Effect.fnUntraced(function* ({ caller, params, traceId }) {
        const rows = yield* contacts.consentEvents(caller.environment_id, params.contact_id)
        return reply({ traceId }, 200, { object: "list", data: rows.map(readConsentEvent) })
      })
    })
  })
)
