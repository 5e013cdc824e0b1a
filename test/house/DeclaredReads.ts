import type { Table } from "@carteiro/tables/Table.ts"
import { declaresTables, placeOf } from "./Places.ts"
import { holdsStatements } from "./Roles.ts"
import { lineAt, type SourceText } from "./SourceText.ts"
import type { Violation } from "./WordingRules.ts"

/** How many select lists and row types a file still spells by hand. */
interface Spelled {
  readonly lists?: number
  readonly rows?: number
}

/** The fewest columns that a declaration is worth: a look-up of two or three names is read where it stands. */
const fewest = 4

/**
 * Files that still spell select lists or row types by hand (decision 0157). The check holds the list exactly, and it only gets
 * shorter: a new read takes both from a selection of its table.
 */
export const stillSpelled: Readonly<Record<string, Spelled>> = {
  "packages/tables/Migrations.ts": { lists: 1, rows: 1 },
  "runtime/access/devices/DeviceRepo.ts": { rows: 1 },
  "runtime/access/members/MemberRepo.ts": { lists: 1 },
  "runtime/access/tenancy/EnvironmentListRepo.ts": { lists: 1 },
  "runtime/activity/ActivityReads.ts": { lists: 1, rows: 1 },
  "runtime/billing/ledger/LedgerAudit.ts": { lists: 1 },
  "runtime/billing/statements/StatementRepo.ts": { lists: 1 },
  "runtime/billing/topups/TopupRepo.ts": { lists: 2 },
  "runtime/billing/usage/UsageRepo.ts": { lists: 1 },
  "runtime/contacts/retention/RetentionPolicyRepo.ts": { lists: 1 },
  "runtime/feedback/report/FeedbackRepo.ts": { lists: 1, rows: 1 },
  "runtime/groups/participants/EligibilityRepo.ts": { rows: 1 },
  "runtime/media/asset/AssetRepo.ts": { rows: 1 },
  "runtime/media/job/MediaErasureRepo.ts": { lists: 1 },
  "runtime/media/job/MediaUpkeepRepo.ts": { lists: 1 },
  "runtime/messages/guards/GuardRepo.ts": { lists: 1 },
  "runtime/messages/read/MessageRows.ts": { lists: 1 },
  "runtime/payments/sealing/SealOldRows.ts": { lists: 1 },
  "runtime/phone-numbers/number/NumberDirectory.ts": { lists: 2, rows: 1 },
  "runtime/phone-numbers/number/NumberWrites.ts": { lists: 1 },
  "runtime/provider-connections/connection/ConnectionRepo.ts": { lists: 1 },
  "runtime/provider-connections/connection/InstallationAccounts.ts": { lists: 1 },
  "runtime/provider-connections/connection/PaymentsConnections.ts": { rows: 1 },
  "runtime/provider-connections/health/ConnectionHealthRepo.ts": { lists: 1 },
  "runtime/templates/template/TemplateRepo.ts": { rows: 1 },
  "runtime/webhooks/delivery/WebhookDeliveryRepo.ts": { lists: 1, rows: 1 },
  "runtime/webhooks/endpoint/WebhookEndpointRepo.ts": { rows: 1 },
  "runtime/webhooks/listen/ListenRepo.ts": { lists: 1 },
  "runtime/webhooks/log/OutboxEventRepo.ts": { lists: 1, rows: 1 },
  "runtime/webhooks/log/WebhookEventRepo.ts": { lists: 1 },
  "runtime/webhooks/recovery/WebhookRecoveryRepo.ts": { lists: 1 }
}

type Files = ReadonlyMap<string, SourceText>
type Columns = ReadonlyArray<ReadonlySet<string>>

/** Returns lists and row types by hand beyond those of the list, and files of the list that spell fewer than it says. */
export const spelledReads = (
  files: Files,
  tables: ReadonlyArray<Table>,
  allowed = stillSpelled
): ReadonlyArray<Violation> => {
  const columnsOf = new Map<string, Array<ReadonlySet<string>>>()
  for (const { columns, owner } of tables) {
    columnsOf.set(owner, [...(columnsOf.get(owner) ?? []), new Set(Object.keys(columns))])
  }
  const ofAll = [...files].flatMap(([path, source]) => {
    const { area, folder } = placeOf(path)
    const columns = columnsOf.get(folder)
    const isShipped = area === "runtime" || area === "packages"
    if (!isShipped || columns === undefined || declaresTables(path)) return []
    return [
      ...breachesOf(path, "list", listsOf(source, columns), allowed[path]?.lists),
      ...breachesOf(path, "row type", holdsStatements(source) ? rowsOf(source, columns) : [], allowed[path]?.rows)
    ]
  })
  const gone = Object.keys(allowed).filter((path) => !files.has(path))
  return [...ofAll, ...gone.map((path) => breach(path, 1, "leaves test/house/DeclaredReads.ts: the file is gone"))]
}

const breachesOf = (
  path: string,
  what: string,
  lines: ReadonlyArray<number>,
  allowed = 0
): ReadonlyArray<Violation> => {
  if (lines.length === allowed) return []
  if (lines.length < allowed) {
    const remedy = "write the smaller number there, or take the entry away at none"
    return [
      breach(
        path,
        1,
        `test/house/DeclaredReads.ts allows ${allowed} of ${what}, and there are ${lines.length}: ${remedy}`
      )
    ]
  }
  return lines.map((line) => breach(path, line, `a ${what} by hand: select the columns of the declared table`))
}

const list = /(?:\bselect\s+|^)((?:\w+\.)?\w+(?:,\s+(?:\w+\.)?\w+)+)/g

/** Returns the lines of lists that begin with columns of one table. Writes are left out: they select from rows of their own. */
const listsOf = ({ literals }: SourceText, tables: Columns): ReadonlyArray<number> =>
  literals.flatMap(({ line, text }) =>
    /\b(?:insert into|update|delete from)\b/.test(text)
      ? []
      : [...text.matchAll(list)]
          .filter(([, names = ""]) => tables.some((columns) => leadingColumns(names, columns) >= fewest))
          .map(({ index }) => line + lineAt(text, index) - 1)
  )

const leadingColumns = (names: string, columns: ReadonlySet<string>): number => {
  const other = names.split(",").findIndex((name) => !columns.has(name.trim().split(".").at(-1) ?? ""))
  return other === -1 ? names.split(",").length : other
}

const shape = /(?:\binterface \w+(?: extends [^{]+)?|\btype \w+ =|<)\s*\{([^{}]*)\}/g

/** Returns the lines of types whose members are all columns of one table. */
const rowsOf = ({ code }: SourceText, tables: Columns): ReadonlyArray<number> =>
  [...code.matchAll(shape)]
    .filter(([, members = ""]) => {
      const names = [...members.matchAll(/\breadonly (\w+)\??:/g)].map(([, name = ""]) => name)
      return names.length >= fewest && tables.some((columns) => names.every((name) => columns.has(name)))
    })
    .map(({ index }) => lineAt(code, index))

const breach = (path: string, line: number, message: string): Violation => ({
  path,
  line,
  rule: "declared-reads",
  message
})
