import { Context, Layer } from "effect"
import { PaymentRepo } from "./PaymentRepo.ts"

/** Reads payments for operators, within one environment except for those that await a decision. */
export class PaymentReads extends Context.Service<
  PaymentReads,
  Pick<PaymentRepo["Service"], "find" | "list" | "named" | "unresolved">
>()("@carteiro/runtime/payments/payment/PaymentReads") {
  static readonly layer = Layer.effect(PaymentReads, PaymentRepo).pipe(Layer.provide(PaymentRepo.layer))
}
