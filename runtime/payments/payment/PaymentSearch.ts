import { parseReais } from "@carteiro/spellings/Reais.ts"
import { indexedWords, typedWords } from "@carteiro/tables/FoldedWords.ts"
import { arrayParameter } from "@carteiro/tables/Parameters.ts"
import { type SelectedRow, select } from "@carteiro/tables/Table.ts"
import { paymentRequestsTable } from "./PaymentTables.ts"

/** What a search shows of a payment. */
export const matchingColumns = select(
  paymentRequestsTable,
  "environment_id",
  "id",
  "amount",
  "description",
  "customer_name",
  "external_reference",
  "provider_payment_id"
)

/** A payment as a search shows it. */
export type MatchingPayment = SelectedRow<typeof matchingColumns>

/** Payments with words of a name that one environment reads at most; of more, any of them are shown. */
const mostWorded = 5_000

/** The words that a payment is known by, as the index `payment_requests_words` has them: the phone's digits stand backwards. */
const words = indexedWords(
  "coalesce(left(customer_name, 255), '') || ' ' || coalesce(external_reference, '') || ' ~' || coalesce(reverse(customer_phone), '')"
)

/** The fewest last digits that a phone is known by. */
const fewestDigits = 4

/** Returns the last digits of a phone backwards; null for what is no phone. */
const phoneBackwards = (name: string): string | null => {
  const digits = /^\+?[\d\s().-]+$/.test(name) ? name.replaceAll(/\D/g, "").replace(/^0+/, "") : ""
  return digits.length < fewestDigits || digits.length > 15 ? null : [...digits].toReversed().join("")
}

/** Returns an amount as Brazilians or, where two digits follow a point, as English speakers write it: to look for one pays nothing. */
const searchedAmount = (name: string): number | undefined => {
  const isEnglish = /^(?:R\$)?\s*(?:\d+|\d{1,3}(?:,\d{3})+)\.\d{2}$/i.test(name)
  return parseReais(isEnglish ? name.replaceAll(",", "").replace(".", ",") : name)
}

/**
 * Returns the statement that reads columns of the newest payments that are known by a name, and its parameters. Each way in which a payment is
 * known reads one index, and ends by itself.
 */
export const paymentsNamed = (
  columns: string,
  search: {
    readonly environmentIds: ReadonlyArray<string>
    readonly name: string
    readonly before: string | undefined
    readonly count: number
  }
): readonly [statement: string, parameters: Array<unknown>] => {
  const name = search.name.trim()
  const by = (column: string, parameter: string) =>
    `(select id from payment_requests where environment_id = e.id and ${column} = ${parameter} and id < $3
      order by id desc limit $4)`
  return [
    `select ${columns} from payment_requests where environment_id = any($1::text[]) and id in (
      select known.id from unnest($1::text[]) as e(id) cross join lateral (
      ${by("id", "$2")}
      union ${by("external_reference", "$2")}
      union ${by("provider_payment_id", "$2")}
      union ${by("amount", "$5::bigint")}
      union (select worded.id from (
        select environment_id, id from payment_requests
        where ${words} @@ concat_ws(' | ', ${typedWords("$2")}, '''' || e.id || '/~' || $6::text || ''':*')::tsquery
        limit ${mostWorded}) as worded
        where worded.environment_id = e.id and worded.id < $3 order by worded.id desc limit $4)
    ) as known order by known.id desc limit $4) order by id desc`,
    [
      arrayParameter("text", search.environmentIds),
      name,
      search.before ?? "~",
      search.count,
      searchedAmount(name) ?? null,
      phoneBackwards(name)
    ]
  ]
}
