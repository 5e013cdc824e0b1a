import type { Carteiro, ReceivedResponse } from "@carteiro/sdk"
import { pageOfEvent } from "../console/Pages.ts"
import { openPage } from "../shell/Browser.ts"
import { now, sleep, spanMs } from "../shell/Clock.ts"
import { usage } from "../shell/Failure.ts"
import type { Shell } from "../shell/Shell.ts"
import { type Outcome, post, type Target } from "./Forward.ts"
import { keys } from "./Keys.ts"
import { placeOf, secretsOf } from "./Places.ts"
import { firstPage } from "./Polled.ts"

export interface ListenOptions {
  readonly forwardTo?: string
  readonly events?: ReadonlyArray<string>
  readonly backfill?: string
  readonly fromNow?: boolean
  readonly skipVerify?: boolean
  readonly print?: "json"
}

/** Shows the environment's events as they happen and forwards them one after another. */
export const listen = async (shell: Shell, options: ListenOptions): Promise<void> => {
  const url = targetOf(options.forwardTo)
  const since = sinceOf(options.backfill)
  const events = (options.events ?? []).flatMap((text) => text.split(",")).filter((type) => type !== "")
  const { baseUrl } = await shell.access()
  const page = firstPage()
  const client = await shell.client(connectionNotes(shell, baseUrl, page.see))
  // A listener that starts while the API restarts waits for it.
  const { environment } = await client.account.get({ maxRetries: Number.MAX_SAFE_INTEGER, signal: shell.io.signal })
  if (environment.kind === "production" && since !== undefined)
    throw usage("--backfill needs a sandbox: production shows what happens while this runs")
  const secrets = await secretsOf(shell.io, environment.id)
  const place = placeOf(shell.io, { environmentId: environment.id, target: url, events })
  if (options.fromNow === true || since !== undefined) await place.forget()
  const target = url === undefined ? undefined : { url, secrets, skipVerify: options.skipVerify === true }
  const run = new Run(shell, { target, baseUrl, environmentId: environment.id, wholeEvents: options.print === "json" })
  const release = keys(shell.io, { r: run.repeat, o: run.open, s: run.skip })
  // Without a saved place the first poll decides where "from now on" begins: an earlier note would miss an event.
  const isPlaced = environment.kind !== "production" && (await place.cursors.load()) !== undefined
  const introduced = (isPlaced ? Promise.resolve() : page.came).then(() => introduce(shell, environment.kind, target))
  try {
    const walk = client.listen({
      ...(events.length === 0 ? {} : { events }),
      ...(environment.kind === "production" ? {} : { cursor: place.cursors }),
      startAt: since === undefined ? "tail" : "oldest",
      signal: shell.io.signal
    })
    for await (const event of walk) {
      await introduced
      if (since === undefined || Date.parse(event.created_at) >= since) await run.take(event)
    }
  } finally {
    release()
  }
}

const targetOf = (text: string | undefined): string | undefined => {
  if (text === undefined) return undefined
  const url = /^\d+$/.test(text) ? `http://localhost:${text}` : /^https?:\/\//.test(text) ? text : `http://${text}`
  if (!URL.canParse(url)) throw usage(`--forward-to is not a URL: ${text}`)
  return url
}

const sinceOf = (text: string | undefined): number | undefined => {
  if (text === undefined) return undefined
  const span = spanMs(text)
  if (span === undefined || span > 7 * 86_400_000)
    throw usage("--backfill takes a span such as 30m, 2h or 7d, at most 7d")
  return now() - span
}

const introduce = (shell: Shell, kind: string, target: Target | undefined): void => {
  if (kind === "production") shell.note("Production: this shows only what happens while it runs.")
  if (target === undefined) shell.note("Ready. Events are shown and not forwarded: --forward-to names a server.")
  else {
    shell.note(`Ready. Forwarding to ${target.url}, signed with ${target.secrets.signing}`)
    shell.note(`A Standard Webhooks library verifies with ${target.secrets.standard}`)
  }
}

/** Prints a note when the API stops answering, and one when it answers again. Passes every response on. */
const connectionNotes = (shell: Shell, baseUrl: string, see: (response: ReceivedResponse) => void) => {
  let isAway = false
  return {
    onResponse: (response: ReceivedResponse) => {
      const { status } = response
      see(response)
      const fails = status === undefined || status >= 500
      if (shell.io.signal.aborted || fails === isAway) return
      isAway = fails
      shell.note(isAway ? `${baseUrl} gives no answer; going on as soon as it does` : "connected again")
    }
  }
}

interface RunOptions {
  readonly target: Target | undefined
  readonly baseUrl: string
  readonly environmentId: string
  readonly wholeEvents: boolean
}

/** One run of the command: the current event, and the keys that act on it. */
class Run {
  readonly #shell: Shell
  readonly #options: RunOptions
  #last: Carteiro.Event | undefined
  #waiting: AbortController | undefined

  constructor(shell: Shell, options: RunOptions) {
    this.#shell = shell
    this.#options = options
  }

  /** Posts an event until it is answered by 2xx or skipped; its place is saved after that. */
  async take(event: Carteiro.Event): Promise<void> {
    const { signal } = this.#shell.io
    this.#last = event
    for (let attempt = 1; ; attempt++) {
      const outcome = await this.#post(event)
      signal.throwIfAborted()
      if (outcome === undefined || isTaken(outcome)) return
      const waiting = new AbortController()
      this.#waiting = waiting
      await sleep(Math.min(1000 * 2 ** (attempt - 1), 30_000), AbortSignal.any([signal, waiting.signal]))
      this.#waiting = undefined
      signal.throwIfAborted()
      if (waiting.signal.aborted) return this.#shell.note(`skipped ${event.id}`)
    }
  }

  /** Posts the last event again at once. */
  readonly repeat = (): void => {
    if (this.#last !== undefined) void this.#post(this.#last)
  }

  /** Opens the last event in the console. */
  readonly open = (): void => {
    if (this.#last === undefined) return
    const page = pageOfEvent(this.#options.baseUrl, this.#options.environmentId, this.#last.data)
    this.#shell.note(page)
    openPage(this.#shell, page)
  }

  /** Skips the event that waits for its receiver. */
  readonly skip = (): void => this.#waiting?.abort()

  async #post(event: Carteiro.Event): Promise<Outcome | undefined> {
    const { target } = this.#options
    const outcome = target === undefined ? undefined : await post(event, target, this.#shell.io.signal)
    if (!this.#shell.io.signal.aborted) this.#show(event, outcome)
    return outcome
  }

  #show(event: Carteiro.Event, outcome: Outcome | undefined): void {
    const shell = this.#shell
    const line = [
      shell.paint("dim", new Date(now()).toTimeString().slice(0, 8)),
      event.type.padEnd(28),
      event.id,
      ...(outcome === undefined ? [] : [resultOf(shell, outcome), `${outcome.durationMs} ms`])
    ].join("  ")
    if (this.#options.wholeEvents) {
      shell.note(line)
      shell.print(JSON.stringify(event))
    } else {
      const { durationMs = null, error = null, status = null } = outcome ?? {}
      shell.item({ id: event.id, type: event.type, status, error, duration_ms: durationMs }, line)
    }
  }
}

const isTaken = ({ status }: Outcome): boolean => status !== undefined && status >= 200 && status < 300

const resultOf = (shell: Shell, outcome: Outcome): string => {
  const text = outcome.status === undefined ? (outcome.error ?? "no answer") : String(outcome.status)
  return shell.paint(isTaken(outcome) ? "green" : "red", text)
}
