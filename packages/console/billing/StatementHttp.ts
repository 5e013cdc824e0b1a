import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { formatReais } from "@carteiro/spellings/Reais.ts"
import { Effect, Layer } from "effect"
import { queryParameter } from "../kit/Forms.ts"
import { html } from "../kit/Html.ts"
import { contractWord, say } from "../kit/Language.ts"
import { chargedNumberLinker } from "../kit/NumberLinks.ts"
import { asVisitor, Operations } from "../kit/Operations.ts"
import { type Outcome, page, type Visit } from "../kit/Pages.ts"
import { select, table } from "../kit/Parts.ts"
import { NotHere } from "../kit/Refusals.ts"
import { monthName } from "../kit/Spans.ts"
import { balanceChart } from "./BalanceChart.ts"
import { billingAddress, lineName, upToBilling, usageTable } from "./BillingParts.ts"

const address = `${billingAddress}/statement`

/** Shows a month: the balance before and after it, and the movements between them. */
export const StatementHttp = Layer.unwrap(
  Effect.gen(function* () {
    const operations = yield* Operations
    const { statements } = operations
    const numberLinks = chargedNumberLinker(operations)

    const show = Effect.fnUntraced(function* (visit: Visit): Effect.fn.Return<Outcome, ApiError> {
      const named = queryParameter(visit.request, "month")
      const statement = yield* Effect.catchTag(
        statements.month(asVisitor(visit), { query: named === undefined ? {} : { month: named } }),
        "statement_not_found",
        () => Effect.fail(new NotHere())
      )
      const { days, lines, month, months, usage } = statement
      return {
        title: html`Statement of ${monthName(month)}`,
        section: "billing",
        up: upToBilling,
        body: html`<form method="get" action="${address}" class="search">
${select({ name: "month", label: "Month", choices: months.map((name) => [name, html`${name}`]), chosen: month })}
<button>Show</button></form>
<ul class="tiles">
<li><span class="tile"><strong>${formatReais(statement.opening_brl)}</strong> at the start</span></li>
<li><span class="tile"><strong>${formatReais(statement.closing_brl)}</strong> ${statement.is_over ? say("at the end") : say("now")}</span></li>
</ul>
${balanceChart(days)}
<section aria-labelledby="lines"><h2 id="lines">What moved it</h2>
${table(
  "Movements by kind",
  ["What", "Kind", "Entries", "Amount"],
  lines.map((line) => [
    lineName(line),
    contractWord(line.type),
    line.count,
    `${line.type === "credit" || line.type === "release" ? "+" : "−"}${formatReais(line.amount_brl)}`
  ]),
  say("Nothing moved it.")
)}
<p class="muted">Debits of what had been set aside before (a payment's completion, a number's first month) do not lower the balance again.</p></section>
<section aria-labelledby="usage"><h2 id="usage">Usage by meter and number</h2>
${usageTable(usage, yield* numberLinks(visit, usage), say("Nothing was used."))}</section>`
      }
    })

    return page({ operation: "billingStatement", path: address, handler: show })
  })
)
