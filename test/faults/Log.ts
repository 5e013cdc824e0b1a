/** How a sandbox message is to end. gaps-2 J "Scenario names" */
export type Scenario = "success" | "delivered_only" | "sent_only" | "delivery_failure"

/** The status in which a message of each scenario rests. gaps-2 J "Status timing" */
export const restsAs: Readonly<Record<Scenario, string>> = {
  success: "read",
  delivered_only: "delivered",
  sent_only: "sent",
  delivery_failure: "failed"
}

/** What a client asks for. A `marker` names one intent: every call that carries it means the same message. */
export type Operation =
  | {
      readonly kind: "send"
      readonly marker: string
      readonly key: string | null
      /** Null in production, where the platform decides. */
      readonly scenario: Scenario | null
    }
  /** Everyone of a batch, under a marker of his own; see `recipientMarker`. */
  | {
      readonly kind: "batch"
      readonly marker: string
      readonly key: string
      readonly environment: "sandbox" | "production"
      readonly recipients: number
    }
  /** Another body under a key that has been answered. A-IDEM-06 */
  | { readonly kind: "conflict"; readonly marker: string; readonly key: string }
  /** A package, bought with the saved card under a key. */
  | { readonly kind: "buy"; readonly key: string }
  | { readonly kind: "read"; readonly message_id: string }
  /** A payment that is asked for in production. */
  | { readonly kind: "payment"; readonly marker: string; readonly key: string }
  | { readonly kind: "cancel_payment"; readonly payment_id: string }
  /** A group that is made in production, under a key of its marker; another link for one, or its end. */
  | { readonly kind: "group"; readonly marker: string }
  | { readonly kind: "change_group"; readonly path: string }
  | { readonly kind: "listen"; readonly listener: string; readonly cursor: string | null }
  | { readonly kind: "look"; readonly endpoint_id: string }
  | { readonly kind: "switch"; readonly endpoint_id: string; readonly status: "active" | "disabled" }
  /** A look at an endpoint that refused exactly so many deliveries since it was last switched on, all of them ended. */
  | { readonly kind: "count"; readonly endpoint_id: string; readonly refused: number; readonly tripped: boolean }
  /** Setting up, making events, and reading at the end. */
  | { readonly kind: "harness"; readonly path: string }

/** The marker of the message to recipient `n` of a batch. */
export const recipientMarker = (batch: string, n: number): string => `${batch}.${n}`

export interface Invoked {
  readonly phase: "invoke"
  /** Names the call in its end. */
  readonly call: number
  readonly client: string
  readonly operation: Operation
  /** Milliseconds since the run began. */
  readonly at: number
}

/**
 * `ok` is an answer with success, `fail` an answer that promises no effect, `unknown` everything a client cannot tell
 * from either: a lost connection, a timeout, a 5xx.
 */
export interface Ended {
  readonly phase: "ok" | "fail" | "unknown"
  readonly call: number
  readonly at: number
  readonly status: number | null
  /** The body as received. */
  readonly text: string
  /** The answer says that it is a replay. */
  readonly replayed: boolean
  /** The node that was asked. */
  readonly node: string
}

/** Something done to the product, or something it did unasked. */
export interface Happened {
  readonly phase: "fault"
  readonly at: number
  readonly name: string
  readonly target: string
  readonly stage: "begin" | "end" | "unasked"
}

/** One line of the log; the lines' order is the order in which the one writer saw them. */
export type Entry = Invoked | Ended | Happened

export interface Log {
  readonly entries: ReadonlyArray<Entry>
  /** Writes an invocation and answers the number of the call. */
  invoke(client: string, operation: Operation): number
  end(call: number, end: Omit<Ended, "call" | "at">): Ended
  fault(name: string, target: string, stage: Happened["stage"]): void
}

/** An empty log; instants are those of the given clock, in milliseconds. */
export const makeLog = (clock: () => number): Log => {
  const began = clock()
  const entries: Array<Entry> = []
  let calls = 0
  const at = () => Math.round(clock() - began)
  return {
    entries,
    invoke: (client, operation) => {
      const call = ++calls
      entries.push({ phase: "invoke", call, client, operation, at: at() })
      return call
    },
    end: (call, end) => {
      const entry: Ended = { ...end, call, at: at() }
      entries.push(entry)
      return entry
    },
    fault: (name, target, stage) => {
      entries.push({ phase: "fault", at: at(), name, target, stage })
    }
  }
}

/** A call with its end; a call without one was cut off by the end of the run and counts as unknown. */
export interface Call<Kind extends Operation["kind"] = Operation["kind"]> {
  readonly operation: Extract<Operation, { readonly kind: Kind }>
  readonly client: string
  /** Place of the invocation in the log. */
  readonly invokedAt: number
  /** Place of the end in the log; infinite when there is none. */
  readonly endedAt: number
  readonly end: Ended | undefined
}

/** The calls of one kind, in the order of their invocation. */
export const callsOf = <Kind extends Operation["kind"]>(
  entries: ReadonlyArray<Entry>,
  kind: Kind
): ReadonlyArray<Call<Kind>> => {
  const ends = new Map<number, number>()
  entries.forEach((entry, place) => {
    if (entry.phase !== "invoke" && entry.phase !== "fault") ends.set(entry.call, place)
  })
  return entries.flatMap((entry, place) => {
    if (entry.phase !== "invoke" || entry.operation.kind !== kind) return []
    const endedAt = ends.get(entry.call) ?? Number.POSITIVE_INFINITY
    const end = entries[endedAt]
    return [
      {
        operation: entry.operation as Extract<Operation, { readonly kind: Kind }>,
        client: entry.client,
        invokedAt: place,
        endedAt,
        end: end === undefined || end.phase === "invoke" || end.phase === "fault" ? undefined : end
      }
    ]
  })
}

/** The members of a JSON object, or none. */
export const fields = (text: string): Readonly<Record<string, unknown>> => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === "object" && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}
