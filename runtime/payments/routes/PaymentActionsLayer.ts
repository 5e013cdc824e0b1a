import { rawReply } from "@carteiro/http-edge/Reply.ts"
import { Commit } from "@carteiro/owners/Commit.ts"
import { parseId } from "@carteiro/owners/Ids.ts"
import { PixProviders, pixProviderOf } from "@carteiro/provider/payments/PixProvider.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { PaymentNotFound } from "@carteiro/schema/payments/PaymentErrors.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Effect, Layer } from "effect"
import { PaymentsConnections } from "../../provider-connections/ProviderConnections.ts"
import { SandboxUnitMs } from "../../tenancy/SandboxUnit.ts"
import type { PaymentRow } from "../payment/Payment.ts"
import { isApprovedInSandbox, judgeApproval, judgeCancel } from "../payment/PaymentCommands.ts"
import { PaymentRepo } from "../payment/PaymentRepo.ts"
import { askForApproval, askForCancel } from "../payment/PaymentWrites.ts"
import { SandboxPaymentsWorker } from "../sandbox/SandboxPaymentsWorker.ts"
import { PaymentWorker } from "../worker/PaymentWorker.ts"
import { type PaymentAction, PaymentActions, readPaymentRequest } from "./PaymentActions.ts"

export const paymentActionsLayer = Layer.effect(
  PaymentActions,
  Effect.gen(function* () {
    const repo = yield* PaymentRepo
    const sandboxes = yield* SandboxPaymentsWorker.client
    const workers = yield* PaymentWorker.client
    const commit = yield* Commit
    const unitMs = yield* SandboxUnitMs
    const connections = yield* PaymentsConnections
    const vendors = yield* PixProviders

    const find = Effect.fnUntraced(function* (environmentId: string, id: string) {
      const found = parseId("pay", id) ? yield* repo.find(environmentId, id) : undefined
      return found ?? (yield* new PaymentNotFound())
    })

    const wake = ({ environment, environment_id }: PaymentAction["place"]) => {
      const owners = environment === "sandbox" ? sandboxes : workers
      owners.wake(environment_id)
    }

    /**
     * Changes a payment by a row that is written only while the payment is unchanged since the read; otherwise decides
     * again.
     */
    const change = (
      asked: PaymentAction,
      judge: (row: PaymentRow) => Effect.Effect<boolean, ApiError>,
      make: (row: PaymentRow) => { readonly row: Row; readonly after: PaymentRow }
    ): Effect.Effect<string, ApiError> =>
      Effect.gen(function* () {
        const { claim, id, now, place } = asked
        const before = yield* find(place.environment_id, id)
        const begins = yield* judge(before)
        const completes = (text: string) => ({ claim, response: rawReply(200, text) })
        if (!begins) {
          const text = JSON.stringify(readPaymentRequest(before, now))
          yield* commit.complete(claim, rawReply(200, text))
          return text
        }
        const { after, row } = make(before)
        const text = JSON.stringify(readPaymentRequest(after, now))
        const written = yield* commit.write([row], completes(text))
        if (!written(row.write.name).has(before.id)) return yield* change(asked, judge, make)
        wake(place)
        return text
      })

    const judgesApproval = (before: PaymentRow) =>
      Effect.flatMap(takesApprovals(before), (isSupported) => Effect.fromResult(judgeApproval(before, isSupported)))

    /** True unless the payment's account is at a vendor without approvals. */
    const takesApprovals = Effect.fnUntraced(function* ({
      environment_id,
      provider,
      provider_connection_id: id
    }: PaymentRow) {
      if (id === null || provider === "pixprov1") return true
      const connection = yield* connections.find(environment_id, id)
      const vendor = connection && pixProviderOf(vendors, connection)
      return vendor === undefined || vendor.requestApproval !== undefined
    })

    return PaymentActions.of({
      find,
      wake,
      cancel: (asked) =>
        change(
          asked,
          (before) => Effect.fromResult(judgeCancel(before)),
          (before) => {
            const { environment_id, id } = before
            const at = before.environment === "sandbox" ? asked.now + unitMs : asked.now
            const row = askForCancel.row({ environment_id, id, cancel_requested_at: asked.now, at })
            return { row, after: before }
          }
        ),
      requestApproval: (asked, { metadata, note }) =>
        change(asked, judgesApproval, (before) => {
          const { environment, environment_id, id } = before
          const { now } = asked
          const inSandbox = environment === "sandbox"
          const provider_approval_id = inSandbox ? `sbapr_${id.slice("pay_".length)}` : null
          const row = askForApproval.row({
            environment_id,
            id,
            approval_requested_at: now,
            approval_note: note,
            approval_metadata: metadata,
            approval_due: !inSandbox || isApprovedInSandbox(metadata),
            provider_approval_id,
            at: inSandbox ? now + unitMs : now
          })
          const moved = { status: "approval_requested", approval_requested_at: now, updated_at: now } as const
          return { row, after: { ...before, ...moved, provider_approval_id } }
        })
    })
  })
)
