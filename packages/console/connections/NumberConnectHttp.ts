import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import type { NumprovResource } from "@carteiro/schema/provider-connections/NumprovConnection.ts"
import { NumprovByokTermsRequired } from "@carteiro/schema/provider-connections/NumprovErrors.ts"
import { Effect, Layer, Result } from "effect"
import { field, queryParameter } from "../kit/Forms.ts"
import { type Html, html } from "../kit/Html.ts"
import type { Page } from "../kit/Layout.ts"
import { asVisitor, Operations } from "../kit/Operations.ts"
import { action, type Outcome, page, type Visit } from "../kit/Pages.ts"
import { NotAllowed, NotHere } from "../kit/Refusals.ts"
import { connectForm, numberAccountsAddress } from "./NumberAccountParts.ts"
import { accountPage, type FoundAccount, makeAccountReads } from "./NumberAccountReads.ts"

/** Connects a number of an account at the number provider, once its terms are accepted. */
export const NumberConnectHttp = Layer.unwrap(
  Effect.gen(function* () {
    const { numprovConnections, phoneNumbers } = yield* Operations
    const { change, inventoryOf, requireAccount } = makeAccountReads(numprovConnections)

    /** Returns the number of the account that a form is about, from the page of the list that it stands on. */
    const requireNumber = Effect.fnUntraced(function* (
      visit: Visit,
      one: FoundAccount,
      id: string | undefined,
      after: string | undefined
    ): Effect.fn.Return<NumprovResource, ApiError> {
      const { data } = yield* inventoryOf(visit, one, after)
      return data.find((number) => number.id === id) ?? (yield* new NotHere())
    })

    const askConnect = Effect.fnUntraced(function* (visit: Visit): Effect.fn.Return<Outcome, ApiError> {
      if (!visit.mayChange) return yield* new NotAllowed()
      const one = yield* requireAccount(visit)
      const after = queryParameter(visit.request, "after")
      const number = yield* requireNumber(visit, one, queryParameter(visit.request, "number"), after)
      const typed = { display_name: "", upstream_phone_number_id: "" }
      return connectPage(one, connectForm(visit, { here: one.here, number, after, typed, refusal: undefined }))
    })

    const connect = change((visit, one, sent) =>
      Effect.gen(function* () {
        const after = field(sent, "after") || undefined
        const number = yield* requireNumber(visit, one, field(sent, "number"), after)
        const typed = {
          display_name: field(sent, "display_name").trim(),
          upstream_phone_number_id: field(sent, "upstream_phone_number_id").trim()
        }
        const refusedBy = (refusal: ApiError): Outcome => ({
          ...connectPage(one, connectForm(visit, { here: one.here, number, after, typed, refusal })),
          status: refusal.status
        })
        if (field(sent, "terms") !== terms) return refusedBy(new NumprovByokTermsRequired())
        const { display_name, upstream_phone_number_id } = typed
        const payload = {
          provider_connection_id: one.account.id,
          provider_number_id: number.provider_number_id,
          display_name,
          continuation_terms_version: terms,
          ...(upstream_phone_number_id === "" ? {} : { upstream_phone_number_id })
        } as const
        const outcome = yield* Effect.result(phoneNumbers.importNumprov(asVisitor(visit, one.environment), { payload }))
        if (Result.isFailure(outcome)) return refusedBy(outcome.failure)
        const { id } = outcome.success
        return {
          to: `/dashboard/phone-numbers/${one.environment.id}/${id}?done=number_connected`,
          audited: { subject: id, after: { provider_number_id: number.provider_number_id } }
        }
      })
    )

    const path = `${numberAccountsAddress}/:environment/:id/connect`
    return Layer.merge(
      page({ operation: "askConnectNumber", path, handler: askConnect }),
      action({
        operation: "connectNumber",
        audit: "phone_number.connected",
        keeps: ["display_name"],
        path,
        handler: connect
      })
    )
  })
)

/** The version of the terms that the form shows. */
const terms = "numprov_byok_v1"

const connectPage = (one: FoundAccount, body: Html): Page => ({
  ...accountPage(one),
  title: "Connect a number of this account",
  up: [one.here, html`${one.account.display_name}`],
  body
})
