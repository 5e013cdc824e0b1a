import { Context, type Effect } from "effect"
import type { AuditFinding } from "./LedgerAudit.ts"

/**
 * Compares charges with their providers, because only a provider knows of money that no row shows. It reports and
 * repairs nothing; a notice or a look-up of a charge still has its usual effect. gaps-3 D "Invariants", gaps-3 E
 * "Purchase outcomes"
 */
export class ProviderAudit extends Context.Service<
  ProviderAudit,
  {
    /** Compares the charges for which their providers give an answer. */
    readonly verify: Effect.Effect<AuditFinding>
  }
>()("@carteiro/runtime/billing/ledger/ProviderAudit") {}
