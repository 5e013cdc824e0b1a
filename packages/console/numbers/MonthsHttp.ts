import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import type { PhoneManagementCoverage, PhoneManagementSummary } from "@carteiro/schema/phone-months/PhoneManagement.ts"
import type { PhoneNumber } from "@carteiro/schema/phone-numbers/PhoneNumber.ts"
import { formatReais } from "@carteiro/spellings/Reais.ts"
import { Effect, Layer } from "effect"
import { chosenEnvironment } from "../kit/Environments.ts"
import { queryParameter } from "../kit/Forms.ts"
import { type Html, html } from "../kit/Html.ts"
import { contractWord, say, statusWord } from "../kit/Language.ts"
import { addressOf, cutPage, pageRows } from "../kit/Lists.ts"
import { countOf } from "../kit/Numbers.ts"
import { makeOperationList } from "../kit/OperationList.ts"
import { asVisitor, Operations } from "../kit/Operations.ts"
import { type Outcome, page, type Visit } from "../kit/Pages.ts"
import { badge, instant, none, notice, pager, personText, type Tone, table } from "../kit/Parts.ts"
import { phoneText } from "../kit/PhoneText.ts"
import { monthsAddress, numbersAddress } from "./NumberParts.ts"

/** Shows the monthly cost of an environment's numbers, whether it is paid, and the dates of each month. */
export const MonthsHttp = Layer.unwrap(
  Effect.gen(function* () {
    const { phoneCoverage, phoneNumbers } = yield* Operations
    const numbers = (yield* makeOperationList)("phoneNumbers.list", phoneNumbers.list)

    const show = Effect.fnUntraced(function* (visit: Visit): Effect.fn.Return<Outcome, ApiError> {
      const chosen = yield* chosenEnvironment(visit)
      const { environment } = chosen
      const before = queryParameter(visit.request, "before")
      const isRented = environment?.kind === "production"
      const { rows } = isRented
        ? yield* numbers(visit, environment, before, pageRows + 1, { source: "numprov" })
        : { rows: [] }
      const { last, shown: rented } = cutPage(rows)
      const managed = environment && (yield* phoneCoverage.all(asVisitor(visit, environment)))
      const here = { environment: environment?.id }
      return {
        title: "Phone months",
        section: "numbers",
        environment: environment?.id,
        up: [addressOf(numbersAddress, here), "Phone numbers"],
        body: html`${rented.some(({ renewal }) => renewal?.state === "at_risk") && notice("bad", say("This month's rent is not paid: add credit, or switch automatic top-up on. On the free plan unpaid numbers are given back at the end of the month."))}
<section aria-labelledby="rented"><h2 id="rented">Rented numbers</h2>
${rentedTable(environment?.id ?? "", rented)}
${pager(before && addressOf(monthsAddress, here), last && addressOf(monthsAddress, { ...here, before: last.id }))}</section>
<section aria-labelledby="managed"><h2 id="managed">Imported numbers</h2>
${managed && scheduled(managed.summary)}
${managedTable(environment?.id ?? "", managed?.data ?? [])}</section>
<p class="muted">Months are charged at 00:05 UTC on the 1st, in full. What is unpaid at 12:00 UTC on the last day is given back or disabled on the free plan; a balance of zero or above before then pays it.</p>`
      }
    })

    return page({ operation: "phoneMonths", path: monthsAddress, handler: show })
  })
)

const numberLink = (environmentId: string, id: string, phone: string | null): Html =>
  personText(html`<a href="${numbersAddress}/${environmentId}/${id}">${phoneText(phone ?? id)}</a>`)

const rentTones: Readonly<Record<string, Tone>> = { at_risk: "bad", upcoming: "good", release_pending: "warn" }

const rentedTable = (environmentId: string, numbers: ReadonlyArray<PhoneNumber>): Html =>
  table(
    "Rented numbers, newest first",
    ["Number", "This month", "Charged", "Next charge", "Given back unless paid by"],
    numbers.flatMap(({ id, phone, renewal }) =>
      renewal === null
        ? []
        : [
            [
              numberLink(environmentId, id, phone),
              badge(statusWord("month", renewal.state), rentTones[renewal.state] ?? "plain"),
              renewal.amount_brl === null ? none("nothing") : formatReais(renewal.amount_brl),
              instant(renewal.next_renewal_at),
              instant(renewal.release_cutoff_at)
            ]
          ]
    ),
    say("No number is rented here.")
  )

const scheduled = ({ monthly_total_brl, next_charge_at, next_charge_brl, retained_count }: PhoneManagementSummary) =>
  next_charge_at !== null &&
  html`<p>${countOf(retained_count)} to be charged, ${formatReais(monthly_total_brl)} together; next ${formatReais(next_charge_brl ?? "0.0000")} ${instant(next_charge_at)}.</p>`

const stateTones: Readonly<Record<PhoneManagementCoverage["service_state"], Tone>> = {
  serving: "good",
  disabled_unpaid_month_end: "bad",
  funding_required: "bad",
  not_serving: "warn"
}

const paymentTones: Readonly<Record<PhoneManagementCoverage["current_month_payment_status"], Tone>> = {
  paid: "good",
  unpaid: "bad",
  not_charged: "plain"
}

const managedTable = (environmentId: string, items: ReadonlyArray<PhoneManagementCoverage>): Html =>
  table(
    "Imported numbers, newest first",
    ["Number", "Service", "Covered by", "Until", "This month", "Next charge", "Disabled unless paid by"],
    items.map((item) => [
      numberLink(environmentId, item.id, item.phone),
      badge(contractWord(item.service_state), stateTones[item.service_state]),
      item.coverage,
      instant(item.covered_until),
      badge(statusWord("month", item.current_month_payment_status), paymentTones[item.current_month_payment_status]),
      item.next_charge_at === null
        ? none("none")
        : html`${formatReais(item.next_charge_brl ?? "0.0000")} ${instant(item.next_charge_at)}`,
      instant(item.disable_at)
    ]),
    say("No number was imported here.")
  )
