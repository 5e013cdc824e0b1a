import type { Effect } from "effect"
import type { KeyOwner } from "../admission/Admission.ts"
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
  readonly ip: string
  /** The body as read; empty when there was none. */
  readonly bytes: Buffer
  /** The early admission of a request whose body is large. */
  readonly early: EarlyAdmission | undefined
  /** Completes when the client of a long poll has shut its sending half. */
  readonly left: Effect.Effect<void>
  /** The unread body of an operation that takes bytes. */
  readonly incoming: IncomingBody | undefined
  /** Told the API key that was admitted and its environment, and of what is to be done once the answer was sent. */
  readonly admitted: {
    keyId: string | undefined
    environmentId: string | undefined
    /** Told where the key leads, of a refused request too. */
    readonly onOwner: ((owner: KeyOwner) => void) | undefined
    leadSeconds?: number | undefined
    readonly onSent: (done: () => void) => void
  }
}

/** A request whose body was not read yet. */
export type UnreadRequest = Pick<Arrival, "head" | "operation" | "params" | "ip" | "now"> & {
  readonly admitted: Pick<Arrival["admitted"], "onOwner">
}

/** The entrance's answer before a large body was read. */
export interface EarlyAdmission {
  /** Whom admission let in; undefined until it is asked with the body, and always on a route without a key. */
  readonly caller: LetIn | undefined
  /** The token was drawn. */
  readonly isPaid: boolean
  /** The environment whose bytes the body counts among; undefined on a route without a key. */
  readonly holder: string | undefined
}
