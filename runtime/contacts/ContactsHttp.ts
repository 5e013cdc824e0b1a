import type { Caller } from "@carteiro/http-edge/Admission.ts"
import { Cursors, idPage, pageReply, pageSize } from "@carteiro/http-edge/Paging.ts"
import { reply, replyInTurns, withWarning } from "@carteiro/http-edge/Reply.ts"
import { Routes } from "@carteiro/http-edge/Routes.ts"
import { parseId } from "@carteiro/owners/Ids.ts"
import { type ChangeConsent, ContactsApi } from "@carteiro/schema/contacts/Contact.ts"
import { ContactNotFound } from "@carteiro/schema/contacts/ContactErrors.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { Effect, Result } from "effect"
import { CustomerIds } from "../customers/CustomerIds.ts"
import { ConsentActions } from "./consent/ConsentActions.ts"
import { refusedRow } from "./consent/ImportRows.ts"
import { readContactPhone, readStoppedPhone, stoppedPhoneWarning } from "./contact/ContactPhone.ts"
import { ContactRepo } from "./contact/ContactRepo.ts"
import { readContact } from "./contact/ContactState.ts"
import { MarketingStops } from "./contact/MarketingStops.ts"
import { Erasures } from "./erasure/Erasures.ts"
import { ContactExports } from "./export/ContactExports.ts"

/** Routes of `/v1/contacts`. gaps-2 I */
export const ContactsHttp = Routes.group(
  ContactsApi,
  Effect.gen(function* () {
    const consent = yield* ConsentActions
    const repo = yield* ContactRepo
    const erasures = yield* Erasures
    const exports = yield* ContactExports
    const cursors = yield* Cursors
    const marketingStops = yield* MarketingStops
    const customerIds = yield* CustomerIds

    return Routes.handlers(ContactsApi, {
      bulkImport: (request) => consent.bulkImport(request, request.body),
      optIn: (request) => consent.optIn(request, request.body),
      optOut: (request) =>
        Effect.map(consent.optOut(request, request.body), (answer) =>
          withWarning(answer, stoppedPhoneWarning(request.body.phone, request.caller.default_region))
        ),

      list: Effect.fnUntraced(function* (request) {
        const { environment, environment_id } = request.caller
        const { limit, opt_in_status, phone, source, starting_after, user_id } = request.query
        const { default_region } = request.caller
        const of_phone =
          phone === undefined
            ? undefined
            : (yield* Effect.fromResult(readStoppedPhone(phone, default_region, "phone"))).match_key
        const of_id = user_id === undefined ? of_phone : (yield* customerIds.find(environment_id, user_id)).key
        // A phone and an id of two people name nobody.
        const match_key = of_phone === undefined || of_phone === of_id ? of_id : ""
        const page = yield* idPage(
          { cursors, route: request.operation, scope: environment_id, after: starting_after, size: pageSize(limit) },
          Effect.fnUntraced(function* (before, count) {
            const found = yield* repo.list(environment_id, { match_key, opt_in_status, source }, before, count)
            const stopped = yield* marketingStops(
              environment_id,
              found.rows.map((row) => row.match_key)
            )
            return { ...found, rows: found.rows.map((row) => ({ id: row.id, row, stopped })) }
          }),
          ({ row, stopped }) => readContact(row, environment, stopped)
        )
        return pageReply(request, page)
      }),

      get: Effect.fnUntraced(function* (request) {
        const { environment, environment_id } = request.caller
        const { contact_id } = request.params
        const row = parseId("con", contact_id) ? yield* repo.find(environment_id, contact_id) : undefined
        if (row === undefined) return yield* new ContactNotFound()
        const stopped = yield* marketingStops(environment_id, [row.match_key])
        return reply(request, 200, readContact(row, environment, stopped))
      }),

      delete: (request) => erasures.erase(request, request.params.contact_id),

      export: (request) => {
        const { environment: kind, environment_id: id } = request.caller
        return Effect.flatMap(exports.make({ id, kind }, request.params.contact_id, request.now), (made) =>
          replyInTurns(id, request, 200, made)
        )
      }
    })
  }),
  {
    callerChecks: {
      bulkImport: ({ rows }, { default_region }) =>
        Array.isArray(rows) ? refusedRow(rows, default_region) : undefined,
      optIn: (body, caller) => refusedPhone(body, caller, readContactPhone),
      optOut: (body, caller) => refusedPhone(body, caller, readStoppedPhone)
    }
  }
)

/** Refuses a phone together with the body, before the idempotency key is looked up. gaps-1 A "Order of checks in one request" */
const refusedPhone = (
  { phone }: Partial<ChangeConsent>,
  { default_region }: Caller,
  read: typeof readContactPhone
): ApiError | undefined => {
  const reading = typeof phone === "string" ? read(phone, default_region, "phone") : undefined
  return reading !== undefined && Result.isFailure(reading) ? reading.failure : undefined
}
