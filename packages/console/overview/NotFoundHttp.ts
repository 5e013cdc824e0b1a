import { respond } from "@carteiro/http-edge/Respond.ts"
import { Routes } from "@carteiro/http-edge/Routes.ts"
import { Ids } from "@carteiro/owners/Ids.ts"
import { Clock, Effect, Layer } from "effect"
import { html } from "../kit/Html.ts"
import type { Language } from "../kit/Language.ts"
import { send } from "../kit/Pages.ts"
import { languageOf } from "../kit/Reader.ts"

/** Every address under `/dashboard` that is no page, whatever the method: people get a page, not an envelope. */
export const NotFoundHttp = Layer.unwrap(
  Effect.gen(function* () {
    const ids = yield* Ids
    const clock = yield* Clock.Clock
    return Routes.mount("/dashboard", (request, response) => {
      const requestId = ids.mint("req", clock.currentTimeMillisUnsafe())
      respond(
        response,
        { requestId, traceId: ids.traceId() },
        nowhere[languageOf({ headers: request.headers, search: (request.url ?? "").split("?")[1] ?? "" })],
        false
      )
    })
  })
)

const nowhereIn = (language: Language) =>
  send(
    {
      title: "Not found",
      status: 404,
      body: html`<div class="card narrow"><p>No page of the dashboard has this address.</p>
<p><a class="button" href="/dashboard">To the overview</a></p></div>`
    },
    undefined,
    { language }
  )

const nowhere: Readonly<Record<Language, ReturnType<typeof send>>> = { en: nowhereIn("en"), pt: nowhereIn("pt") }
