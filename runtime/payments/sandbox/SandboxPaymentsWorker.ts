import type { OwnerHandle } from "@carteiro/owners/Owner.ts"
import { defineWorker, passing } from "@carteiro/owners/Worker.ts"
import { Secrets } from "@carteiro/secrets/Secrets.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Effect } from "effect"
import { Outbox } from "../../outbox/Outbox.ts"
import { SandboxUnitMs } from "../../tenancy/SandboxUnit.ts"
import { finishPayment, learnt } from "../payment/FinishPayment.ts"
import { linkRows } from "../payment/MadeLink.ts"
import type { PaymentRow, SandboxTask } from "../payment/Payment.ts"
import { PaymentRepo } from "../payment/PaymentRepo.ts"
import { approveInSandbox, postponeInSandbox } from "../payment/PaymentWrites.ts"
import { SandboxCheckouts } from "./SandboxCheckouts.ts"
import { type SandboxStep, sandboxStepOf } from "./SandboxStep.ts"

/** The owner of one sandbox's payments: it advances them in time, without any provider. C-PAY-34 */
export const SandboxPaymentsWorker = defineWorker("SandboxPayments")

/** The most payments of one pass. */
const atOnce = 500

interface Due {
  readonly payment: SandboxTask
  readonly step: SandboxStep
}

/** Hosts the owners. */
export const sandboxPaymentOwners = SandboxPaymentsWorker.toLayer(
  Effect.gen(function* () {
    const repo = yield* PaymentRepo
    const checkouts = yield* SandboxCheckouts
    const finish = yield* finishPayment.caller
    const outbox = yield* Outbox
    const secrets = yield* Secrets
    const unitMs = yield* SandboxUnitMs

    /** Returns the rows of a step; undefined for an end, which the account decides. */
    const rowsOf = Effect.fnUntraced(function* ({ payment, step }: Due, now: number) {
      const { approval_due: approval_was, cancel_due: cancel_was, environment_id, id } = payment
      const place = { environment_id, id, approval_was, cancel_was }
      switch (step._tag) {
        case "Link":
          return linkRows({ outbox, secrets }, payment, yield* checkouts.link(payment), now, step.next)
        case "Approve":
          return [approveInSandbox.row({ ...place, approved_at: now, due_at: step.next })]
        case "Wait":
          return [postponeInSandbox.row({ ...place, due_at: step.next })]
        case "End":
          return undefined
      }
    })

    const end = ({ account_id, completion_reservation_id, id }: PaymentRow, outcome: "cancelled" | "expired") => {
      const operation = outcome === "cancelled" ? "cancel" : "provider_outcome"
      const request = { ...learnt, id, completion_reservation_id, outcome, operation, is_proven: true } as const
      return Effect.ignore(finish(account_id, request))
    }

    return passing(
      Effect.fnUntraced(function* (owner: OwnerHandle) {
        const now = owner.now()
        const { due, next } = yield* repo.dueInSandbox(owner.id, now, atOnce)
        const steps = due.map((payment) => ({ payment, step: sandboxStepOf(payment, now, unitMs) }))
        const rows = yield* Effect.forEach(steps, (one) => rowsOf(one, now))
        const units = rows.filter((unit): unit is ReadonlyArray<Row> => unit !== undefined)
        if (units.length > 0) yield* owner.record(units.map((unit) => ({ rows: unit })))
        const ends = steps.flatMap(({ payment, step }) => (step._tag === "End" ? [end(payment, step.outcome)] : []))
        yield* Effect.all(ends, { concurrency: "unbounded", discard: true })
        return due.length > 0 ? owner.now() + 1 : next
      })
    )
  })
)
