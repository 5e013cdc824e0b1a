import { declaredTables } from "./DeclaredTables.ts"

/** Who may name a table in SQL. docs/style.md, architecture, section 10 */
export interface TableUse extends UseByOthers {
  /** The folder it belongs to: a room or a shared ground of `runtime`, or a package below it. */
  readonly owner: string
}

interface UseByOthers {
  /** Rooms that read it beside its owner, with the reason. */
  readonly readBy?: Readonly<Record<string, string>>
  /** Rooms that write it beside its owner, with the reason; they may read it too. */
  readonly writtenBy?: Readonly<Record<string, string>>
}

const admission =
  "admission reads key, tenancy and idempotency records of a batch in one statement (architecture, section 3)"
const tenancy = "one commit makes an organization, its first project and both environments (A-CONV-02, A-PROJ-06)"
const batchFacts =
  "the facts of a whole batch of sends come in one read, and its commit looks once more (architecture, section 2)"
const batchFeeding =
  "a look at a batch counts what waits at its number, and reads number and template beside it, in one statement"
const listening =
  "a read of the stream numbers, pages and checks what it stands on in one statement (architecture, section 4)"

const counting = "reports count what was written by hour, from the rows themselves (decision 0068)"

const erasing = "stored responses that speak of an erased person go with what they answer (gaps-2 I)"

const erasingIds =
  "an erasure takes every key of the person, and rows of a key that is being erased do not move (decision 0135)"

const clockOf = "an owner lives on the clock of its environment, which is found by the owner's id"

const restored = "after a restore neither an epoch nor a position of events is given a second time (decision 0066)"

const walletOf = "a wallet is opened for the organization whose account it is (gaps-3 A)"

const regionOf = "phones in refused requests are read in the region of the project, for erasure (gaps-2 I)"

const emptying = "a reset empties a sandbox, or brings what stays back to real time (decision 0140)"

/** The tables that others than their owner name, each with its reason; a table that is not here is its owner's alone. */
export const usedByOthers: Readonly<Record<string, UseByOthers>> = {
  idempotency_records: { readBy: { access: admission }, writtenBy: { erasure: erasing } },
  idempotency_subjects: { readBy: { erasure: erasing } },
  outbox_events: {
    readBy: {
      activity: counting,
      restore: "the newest event shows whether the database was restored to the instant that is named"
    },
    writtenBy: { webhooks: "listening gives events their position, and the delivery log decides how long they stay" }
  },
  runner_sessions: {
    readBy: {
      cli: "the doctor counts the shards of the runners that live",
      restore: "a restore is accepted only while no node runs"
    }
  },
  vendor_webhook_work: { readBy: { messages: batchFacts } },
  shard_epochs: { readBy: { webhooks: listening }, writtenBy: { restore: restored } },
  api_keys: { readBy: { webhooks: listening } },
  environment_counters: {
    writtenBy: {
      sandbox: emptying,
      webhooks: "registering moves the number of endpoints within its limit in the same statement (A-WHE-13)"
    }
  },
  environments: {
    readBy: {
      activity: "what an organization spends is summed over its production environments",
      billing: walletOf,
      messages: "what a message used is recorded for its organization and project (gaps-2 B)",
      "phone-numbers": "numbers are counted over all production environments of an organization (gaps-3 E)",
      sandbox: clockOf,
      projects: "a project is shown with the ids of its environments (A-PROJ-05)",
      "request-logs": regionOf
    }
  },
  members: {
    readBy: { "phone-orders": "who receives billing alerts has to be a current owner or admin (M-ORD-28)" }
  },
  organizations: {
    writtenBy: {
      billing: `the credit block follows the balance in the statement that moves it (gaps-3 D); ${walletOf}`
    }
  },
  organization_counters: { writtenBy: { access: tenancy } },
  projects: {
    readBy: {
      billing: "the cap of a project is read with what it has spent, when a payment is accepted (gaps-3 D)",
      "request-logs": regionOf,
      sandbox: "a reset is confirmed with the slug of the project"
    },
    writtenBy: { access: `${tenancy}; ${admission}` }
  },
  outbox_counters: { writtenBy: { restore: restored } },
  webhook_attempts: { readBy: { activity: counting } },
  webhook_endpoints: { readBy: { sandbox: clockOf } },
  groups: { readBy: { messages: batchFacts } },
  media_assets: { writtenBy: { sandbox: emptying } },
  media_jobs: { writtenBy: { sandbox: emptying } },
  media_usage: { writtenBy: { sandbox: emptying } },
  batches: { readBy: { sandbox: clockOf } },
  contact_aliases: {
    readBy: { batches: "a named contact may have been joined to another (decision 0135)" }
  },
  customer_ids: { writtenBy: { contacts: erasingIds } },
  customer_joins: { writtenBy: { contacts: erasingIds } },
  contact_erasures: { readBy: { customers: erasingIds } },
  contact_suppressions: { readBy: { messages: batchFacts } },
  data_retention_policies: {
    readBy: { tenancy: "the sweeps of all rooms keep to it, and a sweep imports no room but its own (gaps-2 I)" }
  },
  contacts: {
    readBy: {
      messages: batchFacts,
      customers: "an id of the platform leads to the key and the phone of its contact in one read (decision 0135)",
      batches: "an audience is a filter over contacts, which a batch walks through as it starts (gaps-2 H)"
    }
  },
  messages: {
    readBy: {
      activity: counting,
      "phone-numbers":
        "a number moves only while none of its messages waits, which the commit that moves it looks at (gaps-2 K)",
      batches: `${batchFeeding}; recipients are shown with their messages, whose commits its progress follows (M-BAT-10)`
    }
  },
  phone_numbers: {
    writtenBy: { sandbox: emptying },
    readBy: {
      sandbox: clockOf,
      "phone-orders": "where an approved order stands is where its number stands (M-ORD-17, M-ORD-23)",
      messages: batchFacts,
      batches: batchFeeding,
      "provider-connections": "which connection covers a number goes by the number's account (gaps-2 E)"
    }
  },
  portfolios: {
    readBy: {
      messages: "the owner of a portfolio's allowance reads limit, leases and slots in one statement (decision 0150)"
    }
  },
  phone_number_transfers: {
    readBy: { messages: "messages that a number left behind go on where they are (gaps-2 K)" }
  },
  phone_number_orders: { readBy: { sandbox: clockOf } },
  numprov_connections: { readBy: { sandbox: clockOf } },
  provider_connections: {
    readBy: {
      sandbox: clockOf,
      messages: "marketing guards read the policy warnings of a sender with the rest of a batch (gaps-2 C)"
    }
  },
  number_pacing: {
    readBy: { batches: "a batch whose messages are held waits for the next slot of its number (gaps-2 D)" }
  },
  template_versions: {
    writtenBy: { sandbox: emptying },
    readBy: { messages: batchFacts, batches: batchFeeding }
  },
  templates: {
    writtenBy: { sandbox: emptying },
    readBy: { messages: batchFacts, batches: batchFeeding }
  },
  sandbox_clocks: { readBy: { access: admission } },
  payment_requests: { readBy: { activity: counting } },
  ledger_entries: { readBy: { sandbox: emptying, activity: counting } },
  project_spending: { readBy: { access: admission } }
}

/** Every declared table with its uses. The check holds the SQL of the source and the migrations against it. */
export const tables: Readonly<Record<string, TableUse>> = Object.fromEntries(
  declaredTables.map(({ table: { name, owner } }) => [name, { owner, ...usedByOthers[name] }])
)
