import { type Cursors, memoryCursors } from "./Cursors.ts"
import type { Event, EventType, WebhookEventListen } from "./generated/Types.ts"
import { CarteiroApiError, CarteiroConnectionError } from "./transport/Errors.ts"
import type { RequestOptions } from "./transport/Options.ts"
import type { Transport } from "./transport/Transport.ts"

/** Settings of a walk over the environment's events. */
export interface ListenOptions {
  /** Types to walk; every type when left out. */
  readonly events?: ReadonlyArray<EventType> | undefined
  /** Holds the place between runs, such as `fileCursors(path)`; a store in memory when left out, which begins anew with the process. */
  readonly cursor?: Cursors | undefined
  /** Where to begin without a stored place: `tail` from now on (the default), `oldest` from the oldest event kept, seven days at most. */
  readonly startAt?: "tail" | "oldest" | undefined
  readonly signal?: AbortSignal | undefined
}

/** A place in the stream: the cursor of a page and the event of it that was finished last. */
interface StreamPosition {
  readonly cursor: string | undefined
  readonly after: string | undefined
}

/**
 * Walks the environment's events, oldest first, and waits for new ones. The place is saved after each event whose loop body
 * finished, so a run that ends inside a body sees that event again, with its id: at least once, none missed.
 */
export async function* listen(transport: Transport, options: ListenOptions): AsyncGenerator<Event, void, undefined> {
  const cursors = options.cursor ?? memoryCursors()
  const session = new Session(transport, options.signal)
  let place = parsePlace(await cursors.load())
  for (;;) {
    const page = await poll(transport, session, place, options)
    for (const item of behind(page.data, place.after)) {
      yield item.payload as Event
      place = { cursor: place.cursor, after: item.id }
      if (place.cursor !== undefined) await cursors.save(placeText(place))
    }
    place = { cursor: page.next_cursor, after: undefined }
    await cursors.save(placeText(place))
    if (!page.has_more && page.next_poll_after_ms > 0)
      await transport.timing.sleep(page.next_poll_after_ms, options.signal)
  }
}

const waitMs = 20_000

const poll = async (transport: Transport, session: Session, place: StreamPosition, options: ListenOptions) => {
  const request: RequestOptions = { signal: options.signal, timeoutMs: waitMs + 15_000 }
  for (;;) {
    try {
      const query = {
        cursor: place.cursor,
        start_at: place.cursor === undefined ? (options.startAt ?? "tail") : undefined,
        event_types: options.events,
        // A first poll answers at once and holds one event at most: its cursor is the place to go on from.
        limit: place.cursor === undefined ? 1 : 100,
        wait_ms: place.cursor === undefined ? 0 : waitMs,
        listen_session_id: await session.id()
      }
      return await transport.call<WebhookEventListen>(
        { method: "GET", path: "/v1/webhook-events/listen", query },
        request
      )
    } catch (error) {
      if (isEnded(error)) session.forget()
      else if (!isOutage(error)) throw error
      else await transport.timing.sleep(pauseOf(error, transport.timing.random()), options.signal)
    }
  }
}

/** Milliseconds until the next try: two to five seconds, so that clients spread, or longer where the API says so. */
const pauseOf = (error: unknown, random: number): number =>
  Math.max(2_000 + 3_000 * random, error instanceof CarteiroApiError ? (error.retryAfterMs ?? 0) : 0)

/** Rows behind the event that was finished last; all of them when it is not on the page. */
const behind = (rows: WebhookEventListen["data"], after: string | undefined) =>
  rows.slice(rows.findIndex(({ id }) => id === after) + 1)

const isEnded = (error: unknown) =>
  error instanceof CarteiroApiError &&
  (error.code === "webhook_listen_session_not_active" || error.code === "webhook_listen_session_not_found")

/** The transport's own retries are spent: an outage that lasts is waited out. */
const isOutage = (error: unknown) =>
  error instanceof CarteiroApiError
    ? error.status === 429 || error.status >= 500
    : error instanceof CarteiroConnectionError

/** The listen session that a production key needs; a sandbox key has none. */
class Session {
  #id: string | undefined
  #ended: string | undefined
  readonly #transport: Transport
  readonly #signal: AbortSignal | undefined

  constructor(transport: Transport, signal: AbortSignal | undefined) {
    this.#transport = transport
    this.#signal = signal
  }

  async id(): Promise<string | undefined> {
    if (!this.#transport.isProduction) return undefined
    if (this.#id === undefined) {
      const call = { method: "POST", path: "/v1/webhook-events/listen-sessions", body: { reason: "SDK listen" } }
      this.#id = await this.#transport.call<{ readonly id: string }>(call, { signal: this.#signal }).then(
        ({ id }) => id,
        (error: unknown) => this.#other(error)
      )
    }
    return this.#id
  }

  forget(): void {
    this.#ended = this.#id
    this.#id = undefined
  }

  /** Returns the session that stands in the way: a run before this one may have opened it under this key. Throws when it is not ours. */
  #other(error: unknown): string {
    const active = error instanceof CarteiroApiError ? error.details.active_session : undefined
    const isSession = typeof active === "object" && active !== null && "id" in active && typeof active.id === "string"
    if (isSession && active.id !== this.#ended) return active.id as string
    throw error
  }
}

const placeText = ({ after, cursor }: StreamPosition): string => `${cursor ?? ""} ${after ?? ""}`

const parsePlace = (text: string | undefined): StreamPosition => {
  const [cursor = "", after = ""] = (text ?? "").split(" ")
  return { cursor: cursor === "" ? undefined : cursor, after: after === "" ? undefined : after }
}
