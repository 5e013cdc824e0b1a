import { readFileSync } from "node:fs"
import { account } from "./Upstream.ts"

/** The platform's ids in `test/cases/upstream`. */
const numberOfCases = "109876543210001"
const accountOfCases = "209876543210001"

/** Returns a case of `test/cases/upstream`, with the ids of the test's number and account in place of its own. */
export const upstreamCase = (name: string) => {
  const text = readFileSync(new URL(`../cases/upstream/${name}.json`, import.meta.url), "utf8")
  return JSON.parse(
    text.replaceAll(numberOfCases, account.phone_number_id).replaceAll(accountOfCases, account.biz_account_id)
  )
}
