/** Where a program of an integrator starts: a key of a sandbox and the number it sends from. */
export interface Start {
  readonly baseUrl: string
  readonly key: string
  readonly phoneNumberId: string
}

/** What a program that uses a generated client saw. */
export interface Seen {
  readonly endpoint: { readonly id: string; readonly secret: string; readonly events: ReadonlyArray<string> }
  readonly sent: { readonly id: string; readonly status: string }
  /** The answer to the same request under the same idempotency key. */
  readonly again: string
  readonly listed: ReadonlyArray<{ readonly id: string; readonly to: string; readonly failure: string | null }>
  readonly more: boolean
  /** What the program did about a refusal whose code it knows. */
  readonly refused: string
}

/** A program that an integrator would write with a generated client. */
export interface Program {
  readonly run: (start: Start) => Promise<Seen>
}
