import type { Redacted } from "effect"

/** What a vendor's webhook says; its content is only a hint. gaps-3 G "Trust in webhook content" */
export interface ProviderEvent {
  readonly id: string | undefined
  readonly type: string | undefined
  /** When it happened by the vendor's clock, in epoch milliseconds. */
  readonly created_at: number | undefined
  /** `id` is the vendor's id of the subject, `external_id` ours, each where the vendor names it. */
  readonly data: Readonly<Record<string, unknown>>
}

/** How a vendor signs its webhooks, and how they are read. gaps-3 G "Inbound provider webhooks" */
export interface WebhookScheme {
  /**
   * True when one of the secrets signs these bytes, at most 300 seconds from now (epoch milliseconds). Header names are
   * lower case.
   */
  readonly isSigned: (
    headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>,
    body: Uint8Array,
    secrets: ReadonlyArray<Redacted.Redacted>,
    now: number
  ) => boolean
  /** Returns what a secret of this vendor is, for one that can verify nothing; undefined where any text may be a secret. */
  readonly expectedSecret?: (secret: string) => string | undefined
  /** Reads a body; one in another form is an event without content. */
  readonly read: (body: Uint8Array) => ProviderEvent
}
