import { reply } from "@carteiro/http-edge/Reply.ts"
import { Routes } from "@carteiro/http-edge/Routes.ts"
import { ContactLookupsApi } from "@carteiro/schema/contacts/ContactLookupsApi.ts"
import { matchKey, phoneDigits } from "@carteiro/schema/messages/Vocabulary.ts"
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
        const own =
          query.within === "environment"
            ? [caller.environment_id]
            : (yield* environments.list(caller.organization_id)).map(({ id }) => id)
        const rows = yield* contacts.named(own, query.name, query.before, Number(query.limit))
        const data = rows.map((row) => ({ ...row, object: "named_contact" as const }))
        return reply({ traceId }, 200, { object: "list", data })
      }),

      endingIn: Effect.fnUntraced(function* ({ caller, query, traceId }) {
        const own = (yield* environments.list(caller.organization_id)).map(({ id }) => id)
        const rows = yield* contacts.endingIn(own, query.digits, Number(query.limit))
        const data = rows.map((row) => ({ ...row, object: "phone_contact" as const }))
        return reply({ traceId }, 200, { object: "list", data })
      }),

      ofPhones: Effect.fnUntraced(function* ({ caller, query, traceId }) {
        const keys = new Map(query.phones.split(",").map((phone) => [phone, matchKey(phoneDigits(phone) ?? "")]))
        const rows = yield* contacts.findByKeys(caller.environment_id, [...new Set(keys.values())])
        const known = new Map(rows.map((row) => [row.match_key, row]))
        const data = [...keys].flatMap(([phone, key]) => {
          const row = known.get(key)
          if (row === undefined) return []
          const { opt_in_status, profile_name: name } = row
          return [{ object: "known_phone" as const, phone, name, opt_in_status }]
        })
        return reply({ traceId }, 200, { object: "list", data })
      })
    })
  })
)
