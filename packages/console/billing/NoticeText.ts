import { named } from "@carteiro/html/Html.ts"
import type { BillingNotice } from "@carteiro/schema/billing/NoticesApi.ts"
import { formatReais } from "@carteiro/spellings/Reais.ts"
import type { Html } from "../kit/Html.ts"

/** Returns a notice in the reader's language; one of a release before has no values, and stays as it is kept. */
export const noticeText = ({ amount_brl, kind, outcome, simulated, text }: BillingNotice): Html => {
  if (amount_brl === null) return named([], text)
  const reason = named([[`topup_failure ${outcome}`]], outcome?.replaceAll("_", " ") ?? "")
  const values = { amount: formatReais(amount_brl), reason }
  const said = named([[`${kind} ${outcome}`], [kind]], text, values)
  return simulated === true ? named([["in_sandbox"]], text, { said }) : said
}
