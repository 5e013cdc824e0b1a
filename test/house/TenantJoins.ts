import { carriers, placeOf } from "./Places.ts"
import { holdsStatements } from "./Roles.ts"
import { lineAt, type SourceText } from "./SourceText.ts"
import type { Violation } from "./WordingRules.ts"

const byId = "an id of a number is unique, and a number moves between environments of its organization alone (gaps-2 K)"
const counts =
  "the counter walks through all tenants in the order of writing, and counts each row for its own environment"

/** Files with joins of tenants' tables that name no tenant: what they join, with the reason. docs/scale.md "Beyond one PostgreSQL" */
export const joinsWithoutTenant: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "runtime/activity/ActivityCounter.ts": {
    ledger_entries: counts,
    outbox_events: counts,
    webhook_attempts: counts
  },
  "runtime/messages/portfolio/PortfolioRepo.ts": {
    phone_numbers:
      "the platform counts the numbers of a portfolio together, in whichever organization they are (decision 0150)"
  },
  "runtime/messages/receive/SuspendedContentRepo.ts": { phone_numbers: byId },
  "runtime/phone-numbers/number/NumberDirectory.ts": { numprov_enrollments: byId, phone_numbers: byId },
  "runtime/phone-orders/order/OrderRepo.ts": { phone_numbers: byId },
  "runtime/phone-orders/rental/RentalRepo.ts": { phone_numbers: byId }
}

/** Columns that name a tenant; an account is an organization, and an id of a project is unique. */
const tenantColumns = /\b(?:environment_id|organization_id|account_id|project_id)\b/

/** Returns the tables whose rows belong to an environment, an organization or its account. */
export const tenantTables = (migrations: Iterable<string>): ReadonlySet<string> =>
  new Set(
    [...migrations].flatMap((text) =>
      [...text.matchAll(/create table (?:if not exists )?([a-z_]+) \(([\s\S]*?)\n\)/g)].flatMap(
        ([, table = "", columns]) =>
          /^\s+(?:environment_id|organization_id|account_id) /m.test(columns ?? "") ? [table] : []
      )
    )
  )

/** A table after `join` or a comma, and its alias; what follows up to the next clause is its condition. */
const joined = /(?:\bjoin\s+(?:only\s+)?|\bfrom\s+[a-z_]+(?:\s+[a-z_]+)?,\s*)([a-z_]+)/g
const nextClause = /\b(?:left|inner|cross|join|where|group by|order by|limit|returning|union)\b/

/**
 * Joins of tenants' tables whose condition names no tenant, and declared ones that are gone. Rooms never join across
 * organizations, so that organizations can live in databases of their own.
 */
export const tenantJoinProblems = (
  path: string,
  source: SourceText,
  tables: ReadonlySet<string>,
  declared = joinsWithoutTenant
): ReadonlyArray<Violation> => {
  const { area, folder } = placeOf(path)
  const reads = area === "runtime" || (area === "packages" && folder in carriers)
  const found = reads && holdsStatements(source) ? acrossIn(source, tables) : []
  const excused = Object.hasOwn(declared, path) ? (declared[path] ?? {}) : {}
  const stale = Object.keys(excused).filter((table) => !found.some((join) => join.table === table))
  return [
    ...found
      .filter(({ table }) => excused[table] === undefined)
      .map(({ line, table }) => ({
        path,
        line,
        rule: "tenant-joins",
        message: `the join of ${table} names no environment_id, organization_id, account_id or project_id; test/house/TenantJoins.ts`
      })),
    ...stale.map((table) => ({ path, line: 1, rule: "tenant-joins", message: `no join of ${table} is left to excuse` }))
  ]
}

const acrossIn = ({ literals }: SourceText, tables: ReadonlySet<string>) =>
  literals.flatMap(({ line, text }) =>
    [...text.matchAll(joined)].flatMap((match) => {
      const [whole, table = ""] = match
      const rest = text.slice(match.index + whole.length)
      const isComma = !whole.startsWith("join")
      const end = isComma ? rest.search(/\b(?:group by|order by|limit|returning|union)\b/) : rest.search(nextClause)
      const condition = end === -1 ? rest : rest.slice(0, end)
      const names = isComma ? /\b(?:environment_id|organization_id|account_id|project_id) = [a-z]+\./ : tenantColumns
      return !tables.has(table) || names.test(condition) ? [] : [{ table, line: line + lineAt(text, match.index) - 1 }]
    })
  )
