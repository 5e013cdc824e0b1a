import type { RealInstant } from "@carteiro/owners/RealTime.ts"
import type { Effect } from "effect"
import type { KeyOwner, Person } from "../admission/Admission.ts"
import type { LetIn } from "../admission/LetIn.ts"
import type { IncomingBody } from "../contract/ApiRequest.ts"
import type { Operation } from "../contract/Route.ts"
import type { RequestHead } from "./RequestHead.ts"

/** One request of the contract after its match, with the body read. */
export interface Arrival {
  readonly head: RequestHead
  readonly operation: Operation
  readonly params: unknown
  readonly requestId: string
  readonly traceId: string
  readonly now: number
  readonly realNow: RealInstant
  readonly ip: string
  /** The signed-in member who makes the request in place of a key; never from outside the process. */
  readonly person?: Person
  /** The rows of a page of a list, in place of its `limit`; never from outside the process. */
  readonly rows?: number
  /** The body as read; empty when there was none. */
  readonly bytes: Buffer
  /** The early admission of a request whose body is large. */
  readonly early: EarlyAdmission | undefined
  /** Completes when the client of a long poll has closed its sending half. */
  readonly left: Effect.Effect<void>
  /** The unread body of an operation that takes bytes. */
  readonly incoming: IncomingBody | undefined
  /** Receives the API key that was admitted with its environment, and functions to run once the response was sent. */
  readonly admitted: {
    keyId: string | undefined
    environmentId: string | undefined
    /** The country in which the caller's project reads phone numbers. */
    region: string | undefined
    /** Receives the owner of the key, also for a refused request. */
    readonly onOwner: ((owner: KeyOwner) => void) | undefined
    leadSeconds?: number | undefined
    readonly onSent: (done: () => void) => void
  }
}

/** A request whose body is not read yet. */
export type UnreadRequest = Pick<Arrival, "head" | "operation" | "params" | "ip" | "now"> & {
  readonly admitted: Pick<Arrival["admitted"], "onOwner">
}

/** The result of the entrance before a large body was read. */
export interface EarlyAdmission {
  /** The admitted caller; undefined until admission is asked with the body, and always on a route without a key. */
  readonly caller: LetIn | undefined
  /** True when the rate token was taken. */
  readonly isPaid: boolean
  /** The environment that the body's bytes count against; undefined on a route without a key. */
  readonly holder: string | undefined
}
