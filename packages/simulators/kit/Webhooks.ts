import { Agent, request } from "node:http"
import { request as secureRequest } from "node:https"

/** One webhook to post to the product. */
export interface Outgoing {
  readonly body: Buffer
  /** The headers; a function makes them again for each attempt when they hold the time. */
  readonly headers: Readonly<Record<string, string>> | (() => Readonly<Record<string, string>>)
  /** The receiver of this one; the sender's own otherwise. */
  readonly url?: URL
  /** The callers' ids of the things it is about, for the log. */
  readonly about?: ReadonlyArray<string>
}

/** The most webhook calls of one simulator at once. */
const parallel = 4
const timeoutMs = 15_000
const firstRetryMs = 500
const longestRetryMs = 30_000

/** Posts webhooks to the product, each until the response is 200, as vendors do. */
export class WebhookSender {
  private readonly waiting: Array<{ readonly what: Outgoing; readonly attempt: number }> = []
  private readonly agent = new Agent({ keepAlive: true, maxSockets: parallel })
  private readonly timers = new Set<NodeJS.Timeout>()
  private underWay = 0
  private closed = false
  private woken = false
  private target: URL | undefined
  private readonly pull: () => Outgoing | undefined
  private readonly ended: (what: Outgoing, status: number | string, attempt: number) => void

  /** Takes `pull`, which returns the next webhook when a call can begin, and `ended`, which receives each attempt. */
  constructor(
    pull: () => Outgoing | undefined,
    ended: (what: Outgoing, status: number | string, attempt: number) => void
  ) {
    this.pull = pull
    this.ended = ended
  }

  /** Sets the address of the product's receiver; waiting webhooks are posted there now. */
  aim(url: string): void {
    this.target = new URL(url)
    this.pump()
  }

  get url(): URL | undefined {
    return this.target
  }

  /** Tries to pull again. */
  wake(): void {
    if (this.woken) return
    this.woken = true
    // Events of one turn of the event loop travel together.
    setImmediate(() => {
      this.woken = false
      this.pump()
    })
  }

  /** Sends a webhook beside those that are pulled. */
  send(what: Outgoing, attempt = 1): void {
    this.waiting.push({ what, attempt })
    this.wake()
  }

  close(): void {
    this.closed = true
    for (const timer of this.timers) clearTimeout(timer)
    this.agent.destroy()
  }

  private pump(): void {
    while (!this.closed && this.underWay < parallel) {
      const next = this.nextAimed() ?? (this.target === undefined ? undefined : this.pulled())
      if (next === undefined) return
      this.underWay++
      this.post(next.what, (status) => {
        this.underWay--
        this.ended(next.what, status, next.attempt)
        if (status !== 200) this.later(next.what, next.attempt + 1)
        this.pump()
      })
    }
  }

  /** Returns the first waiting webhook that has a receiver. */
  private nextAimed() {
    const at = this.waiting.findIndex(({ what }) => (what.url ?? this.target) !== undefined)
    return at < 0 ? undefined : this.waiting.splice(at, 1)[0]
  }

  private pulled() {
    const what = this.pull()
    return what === undefined ? undefined : { what, attempt: 1 }
  }

  private later(what: Outgoing, attempt: number): void {
    if (this.closed) return
    const pause = Math.min(longestRetryMs, firstRetryMs * 2 ** Math.min(10, attempt - 2))
    const timer = setTimeout(() => {
      this.timers.delete(timer)
      this.send(what, attempt)
    }, pause)
    this.timers.add(timer)
  }

  private post({ body, headers, url }: Outgoing, done: (status: number | string) => void): void {
    const own = typeof headers === "function" ? headers() : headers
    let told = false
    const tell = (status: number | string) => {
      if (told) return
      told = true
      done(status)
    }
    const receiver = (url ?? this.target) as URL
    const isSecure = receiver.protocol === "https:"
    const call = (isSecure ? secureRequest : request)(
      receiver,
      {
        method: "POST",
        ...(isSecure ? undefined : { agent: this.agent }),
        timeout: timeoutMs,
        headers: { "content-type": "application/json", "content-length": body.length, ...own }
      },
      (response) => {
        response.resume()
        response.on("end", () => tell(response.statusCode ?? 0))
        response.on("error", () => tell("cut"))
      }
    )
    call.on("timeout", () => call.destroy(new Error("timeout")))
    call.on("error", (error: NodeJS.ErrnoException) => tell(error.code ?? error.message))
    call.end(body)
  }
}
