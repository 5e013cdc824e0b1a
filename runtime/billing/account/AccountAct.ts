import type { Claim, StoredResponse } from "@carteiro/owners/Idempotency.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import type { IdPrefix } from "@carteiro/schema/conventions/Ids.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Context, Effect, Layer, Schema } from "effect"
import type { Reservation } from "../wallet/Wallet.ts"
import type { WalletRow } from "../wallet/WalletRepo.ts"

/** Credit that an act holds or charges, under an id that its caller minted. Amounts in 1/10,000 BRL. */
export type ActReservation = Omit<Reservation, "state">

/**
 * One change of an account by an act: reads of the account, and rows that become one commit. Each call changes memory.
 */
export interface AccountChange {
  readonly account: WalletRow
  /** Epoch milliseconds. */
  readonly now: number
  readonly mint: (prefix: IdPrefix) => string
  /** Returns the credit that may be spent now. gaps-3 D "What may go negative" */
  readonly balance: () => number
  /** Returns what a project has spent this month, earlier acts of the batch included, in 1/10,000 BRL. gaps-3 D "Spend cap and fees" */
  readonly spent: (projectId: string) => number
  /** Returns a reservation that the act named, or that memory holds. */
  readonly reservation: (id: string) => Reservation | undefined
  /** Holds credit. */
  readonly hold: (reservation: ActReservation) => void
  /** Charges at once, without a prior hold. */
  readonly charge: (reservation: ActReservation) => void
  /** Charges an open reservation, or releases it; an ended one does not change. */
  readonly settle: (id: string) => void
  readonly release: (id: string) => void
  /** Adds rows to the commit: the room's record and its events. */
  readonly add: (...rows: ReadonlyArray<Row>) => void
}

/** The outcome of an act. */
export type ActDecision<Result> =
  | { readonly _tag: "Refuse"; readonly error: ApiError }
  /** Returns a result and writes nothing. */
  | { readonly _tag: "Answer"; readonly result: Result }
  /** Writes the whole change in one commit, with the response of the caller's idempotency key. */
  | {
      readonly _tag: "Write"
      readonly result: Result
      readonly claim?: Claim | undefined
      readonly response?: StoredResponse | undefined
    }

/** A response as it is sent and stored; the result of acts that answer an HTTP request. */
export const StoredReply = Schema.Struct({ status: Schema.Int, body: Schema.String })
export type StoredReply = typeof StoredReply.Type

/** Encodes and decodes values of one schema as the JSON that travels between nodes. */
interface Wire<A> {
  readonly encode: (value: A) => unknown
  readonly decode: (json: unknown) => A
}

/** A type-level proof that a room of the product handles an act; the act's caller requires it. */
export interface HandledAct<Name extends string> {
  readonly handled: Name
}

/** Sends an act to its account, which decides it. */
export type ActCaller<Request, Result> = (accountId: string, request: Request) => Effect.Effect<Result, ApiError>

/**
 * An act of an account, declared in the room that owns its record: credit, record, events and idempotency record are
 * one commit. The request brings the ids of the new objects, so that a repeated call is one act.
 */
export interface AccountAct<Name extends string, Request, Result> {
  /** `<thing>.<verb>`; it travels between nodes. */
  readonly name: Name
  readonly request: Wire<Request>
  readonly result: Wire<Result>
  /**
   * Calls the act from this node. It requires a room that handles the act: without one the product does not compile.
   */
  readonly caller: Context.Service<HandledAct<Name>, ActCaller<Request, Result>>
}

/** An act with unknown types, for lists of acts. */
export interface AnyAct<Name extends string = string> {
  readonly name: Name
  readonly request: Wire<unknown>
  readonly result: Wire<unknown>
  readonly caller: Context.Service<HandledAct<string>, ActCaller<unknown, unknown>>
}

/** The rules by which a room decides an act. */
export interface ActRules<Request, Result, Facts> {
  /** Returns the ids of reservations that the account reads before it decides. */
  readonly reservations: (request: Request) => ReadonlyArray<string>
  /** Reads the facts for all requests of a batch in one read. */
  readonly read: (requests: ReadonlyArray<Request>, account: WalletRow, now: number) => Effect.Effect<Facts>
  /**
   * Decides synchronously; it checks before it changes anything. If a row's guard stops the commit, the act is decided
   * again.
   */
  readonly decide: (request: Request, facts: Facts, change: AccountChange) => ActDecision<Result>
}

/** The rules of one act, with the facts that they read themselves. */
export type RulesOf<Act, Facts> = Act extends {
  readonly request: Wire<infer Request>
  readonly result: Wire<infer Result>
}
  ? ActRules<Request, Result, Facts>
  : never

/** An act with its rules, as a room lists it in its record. */
export interface ActHandler<Name extends string, R> {
  readonly act: AnyAct<Name>
  readonly rules: Effect.Effect<ActRules<unknown, unknown, unknown>, never, R>
}

/** Declares an act; `handleAct` beside it gives its rules. */
export const defineAccountAct = <const Name extends string, Request, Result>(
  name: Name,
  schemas: { readonly request: Schema.Codec<Request, unknown>; readonly result: Schema.Codec<Result, unknown> }
): AccountAct<Name, Request, Result> => ({
  name,
  request: wireOf(schemas.request),
  result: wireOf(schemas.result),
  caller: Context.Service<HandledAct<Name>, ActCaller<Request, Result>>(`@carteiro/runtime/billing/act/${name}`)
})

const wireOf = <A>(schema: Schema.Codec<A, unknown>): Wire<A> => {
  const json = Schema.toCodecJson(schema)
  return { encode: Schema.encodeSync(json), decode: Schema.decodeUnknownSync(json) }
}

/** Gives an act its rules, for the member `acts` of the room that declares it. */
export const handleAct = <Name extends string, Request, Result, Facts, R>(
  act: AccountAct<Name, Request, Result>,
  rules: Effect.Effect<ActRules<Request, Result, Facts>, never, R>
): ActHandler<Name, R> =>
  // Requests reach the rules through the act's own codec, and facts through the rules' own read.
  ({ act, rules }) as unknown as ActHandler<Name, R>

/** An act with its rules, on a node that hosts accounts. */
export interface HostedAct {
  readonly act: AnyAct
  readonly rules: ActRules<unknown, unknown, unknown>
}

/** Acts that the accounts of this node decide, by name. */
export class HostedActs extends Context.Service<HostedActs, ReadonlyMap<string, HostedAct>>()(
  "@carteiro/runtime/billing/account/HostedActs"
) {
  /** Holds the acts of all rooms, with what their rules need. */
  static readonly layer = <Handler extends ActHandler<string, unknown>>(
    handlers: ReadonlyArray<Handler>
  ): Layer.Layer<HostedActs, never, Effect.Services<Handler["rules"]>> =>
    Layer.effect(
      HostedActs,
      Effect.map(
        Effect.forEach(handlers, ({ act, rules }) =>
          Effect.map(
            rules as Effect.Effect<HostedAct["rules"], never, Effect.Services<Handler["rules"]>>,
            (made) => [act.name, { act, rules: made }] as const
          )
        ),
        (hosted) => new Map(hosted)
      )
    )
}
