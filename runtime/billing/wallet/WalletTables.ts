import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import {
  bool,
  defaulted,
  defineTable,
  int8,
  nullable,
  select,
  text,
  textOf,
  timestamptz
} from "@carteiro/tables/Table.ts"
import { money } from "../../erasure/Standings.ts"

/** Transfers between accounts, never changed and never removed. */
export const ledgerEntriesTable = defineTable("ledger_entries", {
  owner: "billing",
  erasure: money,
  key: ["organization_id", "id"],
  columns: {
    organization_id: text,
    id: text,
    account_id: text,
    environment: nullable(textOf<EnvironmentKind>()),
    environment_id: nullable(text),
    type: text,
    is_listed: bool,
    from_account: text,
    to_account: text,
    amount: int8,
    source_type: text,
    source_id: text,
    meter_id: nullable(text),
    uncollected: nullable(int8),
    trace_id: nullable(text),
    payment_object: nullable(textOf<"payment_request" | "agentic_payment">()),
    payment_id: nullable(text),
    reservation_id: nullable(text),
    recorded_at: timestamptz,
    written_in: defaulted(nullable(int8))
  }
})

/** The spending of a project in a UTC month (`2026-01`); its cap has a row of its own beside the months. */
export const projectSpendingTable = defineTable("project_spending", {
  owner: "billing",
  erasure: money,
  key: ["organization_id", "project_id", "month"],
  columns: {
    organization_id: text,
    project_id: text,
    month: text,
    spent: defaulted(int8)
  }
})

/** Credit that is held. It leaves `open` once. */
export const reservationsTable = defineTable("reservations", {
  owner: "billing",
  erasure: money,
  key: ["account_id", "id"],
  columns: {
    account_id: text,
    id: text,
    state: defaulted(text),
    amount: int8,
    meter_id: text,
    source_type: text,
    project_id: nullable(text),
    environment_id: nullable(text),
    trace_id: nullable(text),
    payment_object: nullable(text),
    payment_id: nullable(text),
    created_at: timestamptz,
    ended_at: nullable(timestamptz)
  }
})

/** One row an account: `org_…` for production, `env_…` for the simulated account of a sandbox. */
export const walletsTable = defineTable("wallets", {
  owner: "billing",
  erasure: money,
  key: ["account_id"],
  columns: {
    account_id: text,
    organization_id: text,
    environment: textOf<EnvironmentKind>(),
    balance: defaulted(int8),
    held: defaulted(int8),
    created_at: timestamptz,
    updated_at: timestamptz
  }
})

/** The columns of a wallet with its account. */
export const walletColumns = select(walletsTable, "account_id", "organization_id", "environment", "balance", "held")

/** The columns of an entry that reads show. */
export const entryColumns = select(
  ledgerEntriesTable,
  "id",
  "type",
  "source_type",
  "source_id",
  "meter_id",
  "amount",
  "uncollected",
  "environment",
  "payment_object",
  "payment_id",
  "reservation_id",
  "trace_id",
  "recorded_at"
)

/** The columns of a hold that the console shows. */
export const openHoldColumns = select(reservationsTable, "id", "amount", "meter_id", "payment_id", "created_at")
