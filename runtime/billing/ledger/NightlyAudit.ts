import type { Job } from "@carteiro/tables/Retention.ts"
import { Clock, Effect, Layer } from "effect"
import { endNight, takeNight } from "./AuditNights.ts"
import { LedgerAudit } from "./LedgerAudit.ts"
import { ProviderAudit } from "./ProviderAudit.ts"
import { providerAuditLayer } from "./ProviderAuditLayer.ts"

/**
 * Checks the invariants of the ledger once a night, and compares charges with their providers. Findings are logged as
 * errors and shown as a metric; nothing is repaired. gaps-3 D "Invariants"
 */
export const nightlyAudit: Job = {
  name: "ledger.audit",
  everyMs: 600_000,
  run: Effect.gen(function* () {
    const started = yield* Clock.currentTimeMillis
    if (!(yield* takeNight(started))) return
    const ledger = yield* (yield* LedgerAudit).verify
    const findings = [...ledger, yield* (yield* ProviderAudit).verify]
    const broken = findings.filter((finding) => finding.broken.length > 0)
    for (const { broken: named, invariant } of broken) {
      yield* Effect.logError("an invariant of the ledger does not hold", { invariant, broken: named })
    }
    const checked = Math.max(0, ...findings.map((finding) => finding.checked))
    if (broken.length === 0) yield* Effect.logInfo("the ledger was audited", { checked })
    yield* endNight(started, yield* Clock.currentTimeMillis, broken)
  }).pipe(Effect.provide(Layer.merge(LedgerAudit.layer, providerAuditLayer)))
}
