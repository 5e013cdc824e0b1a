import { Context, Layer } from "effect"
import { AgenticRepo } from "./AgenticRepo.ts"

/** Reads agentic authorizations and their payments for the dashboard, within one environment. */
export class AuthorizationReads extends Context.Service<
  AuthorizationReads,
  Pick<AgenticRepo["Service"], "authorization" | "listAuthorizations" | "payment" | "paymentsBy">
>()("@carteiro/runtime/payments/agentic/AuthorizationReads") {
  static readonly layer = Layer.effect(AuthorizationReads, AgenticRepo).pipe(Layer.provide(AgenticRepo.layer))
}
