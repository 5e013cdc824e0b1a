import { Context, type Effect } from "effect"
import type { AuditFinding } from "./LedgerAudit.ts"

/**
 * Compares charges with their providers, which alone know of money that no row here shows. It tells and repairs nothing: a
 * charge that is told or looked at is followed as ever. gaps-3 D "Invariants", gaps-3 E "Purchase outcomes"
 */
export class ProviderAudit extends Context.Service<
  ProviderAudit,
  {
    /** Counts the charges that their providers answered about. */
    readonly verify: Effect.Effect<AuditFinding>
  }
>()("@carteiro/runtime/billing/ledger/ProviderAudit") {}
