import type { Claim, StoredResponse } from "@carteiro/owners/Idempotency.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import type { IdPrefix } from "@carteiro/schema/conventions/Ids.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Context, type Effect, Layer, Schema } from "effect"
import type { Reservation } from "../wallet/Wallet.ts"
import type { WalletRow } from "../wallet/WalletRepo.ts"

/** Credit that an act sets aside or charges, under an id that its caller minted. Amounts in 1/10,000 BRL. */
export type ActReservation = Omit<Reservation, "state">

/** The account as an act decides on it: what memory has of the wallet moves with every call. */
export interface ActDesk {
  readonly account: WalletRow
  /** Epoch milliseconds. */
  readonly now: number
  readonly mint: (prefix: IdPrefix) => string
  /** What may be spent up front. gaps-3 D "What may go negative" */
  readonly balance: () => number
  /** What a project has spent this month, acts decided a moment ago included, in 1/10,000 BRL. gaps-3 D "Spend cap and fees" */
  readonly spent: (projectId: string) => number
  /** One of those the act named, or one of late. */
  readonly reservation: (id: string) => Reservation | undefined
  /** Sets credit aside. */
  readonly hold: (reservation: ActReservation) => void
  /** Charges at once what would otherwise be held first. */
  readonly charge: (reservation: ActReservation) => void
  /** Charges an open reservation, or gives it back. */
  readonly settle: (id: string) => void
  readonly release: (id: string) => void
  /** Rows that stand or fall with it: the record, its events. */
  readonly add: (...rows: ReadonlyArray<Row>) => void
}

/** What an act comes to. */
export type ActDecision =
  | { readonly _tag: "Refuse"; readonly error: ApiError }
  /** Nothing is written. */
  | { readonly _tag: "Answer"; readonly text: string }
  /** Everything the desk was asked for is one commit, with the response of the caller's idempotency key. */
  | {
      readonly _tag: "Write"
      readonly text: string
      readonly claim?: Claim | undefined
      readonly response?: StoredResponse | undefined
    }

/**
 * What a room has an account decide together with a record of its own, so that credit, record, events and idempotency record
 * are one commit. A request is plain JSON and brings the ids of what it makes, so that a repeated call is the same call.
 * Architecture, section 6
 */
export interface AccountAct<Request, Facts> {
  /** `<thing>.<verb>`. */
  readonly name: string
  readonly request: Schema.Codec<Request, unknown>
  /** Reservations that it ends. */
  readonly ends: (request: Request) => ReadonlyArray<string>
  /** One read for all requests of a batch. */
  readonly read: (requests: ReadonlyArray<Request>, account: WalletRow, now: number) => Effect.Effect<Facts>
  /** Synchronous; it judges before it asks anything of the desk. A row whose guard stops the unit has it decided again. */
  readonly decide: (request: Request, facts: Facts, desk: ActDesk) => ActDecision
}

/** A call of an act, on its way to the account. */
export const ActCall = Schema.Struct({ act: Schema.String, request: Schema.Unknown })
export type ActCall = typeof ActCall.Type

/** Acts of rooms, by name; a room adds its own as its services are made. */
export class AccountActs extends Context.Service<
  AccountActs,
  {
    readonly add: <Request, Facts>(act: AccountAct<Request, Facts>) => void
    readonly find: (name: string) => AccountAct<unknown, unknown> | undefined
  }
>()("@carteiro/runtime/billing/account/AccountActs") {
  static readonly layer = Layer.sync(AccountActs, () => {
    const acts = new Map<string, AccountAct<unknown, unknown>>()
    return AccountActs.of({
      add: (act) => {
        if (acts.has(act.name)) throw new Error(`two acts are called ${act.name}`)
        // Its own requests and facts come back to it alone.
        acts.set(act.name, act as unknown as AccountAct<unknown, unknown>)
      },
      find: (name) => acts.get(name)
    })
  })
}
