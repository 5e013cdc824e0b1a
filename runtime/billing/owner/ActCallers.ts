import { Context, Effect, Layer } from "effect"
import type { ActCaller, ActHandler, AnyAct, HandledAct } from "../account/AccountAct.ts"
import { BillingAccountEntity } from "./BillingAccountEntity.ts"

type Accounts = Effect.Success<typeof BillingAccountEntity.client>
type NameOf<Handler> = Handler extends ActHandler<infer Name, infer _> ? Name : never
type Handled<Name> = Name extends string ? HandledAct<Name> : never

/** Provides the callers of these handlers' acts, also on nodes that host no accounts. */
export const actCallers = <Handler extends ActHandler<string, unknown>>(handlers: ReadonlyArray<Handler>) =>
  Layer.effectContext(
    Effect.map(BillingAccountEntity.client, (accounts) =>
      handlers.reduce(
        (context, { act }) => Context.add(context, act.caller, callerOf(act, accounts)) as never,
        Context.empty() as Context.Context<Handled<NameOf<Handler>>>
      )
    )
  )

/** Requests and results travel by the schemas of the act. */
const callerOf =
  (act: AnyAct, accounts: Accounts): ActCaller<unknown, unknown> =>
  (accountId, request) =>
    Effect.suspend(() =>
      Effect.map(accounts.Act(accountId, { act: act.name, request: act.request.encode(request) }), act.result.decode)
    )
