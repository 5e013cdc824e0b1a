import { Agent, request } from "node:http"

/** One webhook on its way to the product. */
export interface Outgoing {
  readonly body: Buffer
  /** Made anew for each attempt where they tell the time. */
  readonly headers: Readonly<Record<string, string>> | (() => Readonly<Record<string, string>>)
  /** The callers' ids of what it tells of, for the log. */
  readonly about?: ReadonlyArray<string>
}

/** Calls of one simulator under way at once. */
const parallel = 4
const timeoutMs = 15_000
const firstRetryMs = 500
const longestRetryMs = 30_000

/** Posts webhooks to the product, again and again until each is answered with 200, as vendors do. */
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

  /** `pull` gives the next webhook when a call can begin; `ended` hears of each attempt. */
  constructor(
    pull: () => Outgoing | undefined,
    ended: (what: Outgoing, status: number | string, attempt: number) => void
  ) {
    this.pull = pull
    this.ended = ended
  }

  /** Where the product listens; what waited goes there now. */
  aim(url: string): void {
    this.target = new URL(url)
    this.pump()
  }

  get url(): URL | undefined {
    return this.target
  }

  /** There may be something to pull. */
  wake(): void {
    if (this.woken) return
    this.woken = true
    // What happens in the same turn travels together.
    setImmediate(() => {
      this.woken = false
      this.pump()
    })
  }

  /** Sends it beside what is pulled. */
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
    while (!this.closed && this.target !== undefined && this.underWay < parallel) {
      const next = this.waiting.shift() ?? this.pulled()
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

  private post({ body, headers }: Outgoing, done: (status: number | string) => void): void {
    const own = typeof headers === "function" ? headers() : headers
    let told = false
    const tell = (status: number | string) => {
      if (told) return
      told = true
      done(status)
    }
    const call = request(
      this.target as URL,
      {
        method: "POST",
        agent: this.agent,
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
