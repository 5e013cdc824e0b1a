import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { NumberSource, NumberStatus, type PhoneNumber } from "@carteiro/schema/phone-numbers/PhoneNumber.ts"
import { Effect, Layer, Schema } from "effect"
import { NumberDirectory, NumberReads } from "../../phone-numbers/PhoneNumbers.ts"
import { chosenEnvironment, environmentField } from "../kit/Environments.ts"
import { asked } from "../kit/Forms.ts"
import { type Html, html, type Piece } from "../kit/Html.ts"
import { addressOf, askedWord, choicesOf, cutPage, pageRows } from "../kit/Lists.ts"
import { type Outcome, page, type Visit } from "../kit/Pages.ts"
import { given, instant, none, pager, select, table } from "../kit/Parts.ts"
import { monthsAddress, numberBadge, numbersAddress, qualityBadge } from "./NumberParts.ts"

/** Numbers of an environment with state, quality and allowance. M-PHN-42 */
export const NumbersHttp = Layer.unwrap(
  Effect.gen(function* () {
    const repo = yield* NumberDirectory
    const reads = yield* NumberReads

    const list = Effect.fnUntraced(function* (visit: Visit): Effect.fn.Return<Outcome, ApiError> {
      const chosen = yield* chosenEnvironment(visit)
      const { environment } = chosen
      const { request } = visit
      const search = {
        status: askedWord(request, "status", Schema.is(NumberStatus)),
        source: askedWord(request, "source", Schema.is(NumberSource))
      }
      const before = asked(request, "before")
      const rows = environment === undefined ? [] : yield* repo.list(environment.id, search, before, pageRows + 1)
      const { last, shown } = cutPage(rows)
      const viewer = {
        organization_id: visit.organizationId,
        environment_id: environment?.id ?? "",
        environment: environment?.kind ?? "sandbox"
      } as const
      const here = { environment: environment?.id, ...search }
      return {
        title: "Phone numbers",
        section: "numbers",
        environment: environment?.id,
        body: html`<form method="get" action="${numbersAddress}" class="search" role="search">
${environmentField(chosen)}
${select({ name: "status", label: "State", choices: choicesOf(NumberStatus.literals), chosen: search.status ?? "" })}
${select({ name: "source", label: "Source", choices: choicesOf(NumberSource.literals), chosen: search.source ?? "" })}
<button>Show</button>
</form>
<nav class="buttons" aria-label="Phone numbers"><a class="button" href="${addressOf(monthsAddress, { environment: environment?.id })}">Phone months</a></nav>
${numberTable(
  environment?.id ?? "",
  yield* reads.entries(viewer, shown, visit.now),
  html`There is no number like this. Order one with <code>POST /v1/phone-numbers/orders</code>, or connect one of yours.`
)}
${pager("numbers", before && addressOf(numbersAddress, here), last && addressOf(numbersAddress, { ...here, before: last.id }))}`
      }
    })

    return page({ operation: "phoneNumbers", path: numbersAddress, handler: list })
  })
)

const numberTable = (environmentId: string, numbers: ReadonlyArray<PhoneNumber>, nothing: Piece): Html =>
  table(
    "Phone numbers, newest first",
    ["Number", "Name", "State", "Quality", "New recipients left", "Rent", "Since"],
    numbers.map((number) => [
      given(html`<a href="${numbersAddress}/${environmentId}/${number.id}">${number.phone ?? number.id}</a>`),
      number.display_name === null ? none("none") : given(number.display_name),
      numberBadge(number.status),
      qualityBadge(number.quality_rating),
      number.remaining_messaging_allowance_estimate === null
        ? none("no telling")
        : String(number.remaining_messaging_allowance_estimate),
      number.source === "byon" ? none("yours") : (number.renewal?.state.replaceAll("_", " ") ?? "free"),
      instant(number.created_at)
    ]),
    nothing
  )
