import { realTiming, type Timing } from "../Timing.ts"
import { ApiPromise, type WithResponse } from "./ApiPromise.ts"
import { apiErrorOf, CarteiroApiError, CarteiroConnectionError, CarteiroError, CarteiroTimeoutError } from "./Errors.ts"
import { exactText, parseExact } from "./ExactJson.ts"
import { List, type PageBody } from "./List.ts"
import type { ClientOptions, RequestBytes, RequestOptions, SentRequest } from "./Options.ts"
import { gateName, RateQueue } from "./RateGate.ts"
import { isStillRunning, retryDelay } from "./Retry.ts"

export type Query = Readonly<Record<string, unknown>>

/** One operation, as the generated methods name it. */
export interface Call {
  readonly method: string
  /** Path below the origin with its parameters filled in, or a capability URL, which is called without the API key. */
  readonly path: string
  readonly query?: Query | undefined
  /** Sent as JSON. */
  readonly body?: unknown
  /** Sent as it is. */
  readonly bytes?: RequestBytes | undefined
  readonly contentType?: string | undefined
  /** True for operations that take an idempotency key: the client makes one when the caller gives none. */
  readonly keyed?: boolean
  /** How the answer is read; JSON when left out. */
  readonly answer?: "json" | "text" | "stream"
}

/** Sends calls: key, retries, timeouts, hooks. One a client. */
export class Transport {
  readonly baseUrl: string
  readonly timing: Timing
  readonly isProduction: boolean
  readonly #apiKey: string
  readonly #options: ClientOptions

  constructor(options: ClientOptions) {
    const apiKey = options.apiKey ?? variable("CARTEIRO_API_KEY")
    if (apiKey === undefined || apiKey === "") {
      throw new CarteiroError("no API key: pass apiKey, or set the environment variable CARTEIRO_API_KEY")
    }
    const base = options.baseUrl ?? variable("CARTEIRO_API_BASE") ?? "http://127.0.0.1:8080"
    if (!URL.canParse(base)) throw new CarteiroError(`baseUrl is not a URL: ${base}`)
    this.#apiKey = apiKey
    this.#options = options
    this.baseUrl = base.replace(/\/+$/, "")
    this.timing = options.timing ?? realTiming
    this.isProduction = apiKey.startsWith("svc_live_")
  }

  /** Starts a call. */
  call<T>(call: Call, options: RequestOptions = {}): ApiPromise<T> {
    return new ApiPromise(this.#run<T>(call, options))
  }

  /** Starts a list: the first page, and those behind it under `cursorName`. */
  list<Page extends PageBody>(call: Call, cursorName: string, options: RequestOptions = {}): List<Page> {
    const page = (cursor: string) =>
      this.call<Page>({ ...call, query: { ...call.query, [cursorName]: cursor } }, options)
    return new List(this.call<Page>(call, options), page)
  }

  async #run<T>(call: Call, options: RequestOptions): Promise<WithResponse<T>> {
    const key =
      call.keyed === true ? (options.idempotencyKey ?? globalThis.crypto.randomUUID()) : options.idempotencyKey
    const repeatable = key !== undefined || call.method === "GET"
    const maxRetries = options.maxRetries ?? this.#options.maxRetries ?? 3
    const queue = repeatable && maxRetries > 0 ? this.#queue(call, options) : undefined
    // Waiting for a rate limit is no failure: it has the timeout for a bound, and leaves the number of retries as it is.
    for (let attempt = 1, failures = 1, waitedMs = 0; ; attempt++) {
      const turn = queue?.enter()
      if (turn !== undefined) await turn
      const tried = await this.#try<T>(call, options, key, attempt).catch((reason: unknown) => {
        queue?.leave(new CarteiroError("the caller ended the call", { cause: reason }), 0)
        throw reason
      })
      const random = this.timing.random()
      if (queue?.leave(tried, random) === true) continue
      if (!(tried instanceof CarteiroError)) return tried
      const isLimit = queue !== undefined && tried instanceof CarteiroApiError && tried.status === 429
      if (isLimit) throw tried
      const delay = retryDelay({ error: tried, attempt, failures, repeatable, maxRetries, waitedMs }, random)
      if (delay === undefined) throw tried
      if (isStillRunning(tried, attempt)) waitedMs += delay
      else failures += 1
      await this.timing.sleep(delay, options.signal)
    }
  }

  #queue(call: Call, options: RequestOptions): RateQueue {
    const { signal } = options
    const name = gateName(this.#apiKey, this.baseUrl, call.method, call.path)
    return new RateQueue(this.timing, name, { waitMs: this.#timeoutMs(options), signal })
  }

  #timeoutMs(options: RequestOptions): number {
    return options.timeoutMs ?? this.#options.timeoutMs ?? 60_000
  }

  /** One try: an answer, or an error that the rules of retrying judge. Throws the caller's own abort. */
  async #try<T>(call: Call, options: RequestOptions, key: string | undefined, attempt: number) {
    const request = this.#requestOf(call, options, key, attempt)
    const shown = { ...request, headers: masked(request.headers) }
    const started = this.timing.now()
    const told = (status: number | undefined, requestId: string | undefined, error: CarteiroError | undefined) =>
      this.#options.onResponse?.({ request: shown, status, requestId, durationMs: this.timing.now() - started, error })
    this.#options.onRequest?.(shown)
    const outcome = await this.#outcome<T>(request, call, options, attempt)
    // Outside of the try above, so that a hook that throws is not taken for a lost answer.
    if (!(outcome instanceof CarteiroError)) told(outcome.status, outcome.requestId, undefined)
    else if (outcome instanceof CarteiroApiError) told(outcome.status, outcome.requestId, outcome)
    else told(undefined, undefined, outcome)
    return outcome
  }

  async #outcome<T>(request: SentRequest, call: Call, options: RequestOptions, attempt: number) {
    const deadline = this.#deadline(options)
    try {
      const response = await this.#fetch(request, call, deadline.signal)
      return await readAnswer<T>(response, call, attempt, request.url)
    } catch (cause) {
      if (options.signal?.aborted === true) throw options.signal.reason
      return cause instanceof CarteiroError ? cause : connectionError(cause, deadline.signal.aborted, request.url)
    } finally {
      deadline.clear()
    }
  }

  #requestOf(call: Call, options: RequestOptions, key: string | undefined, attempt: number): SentRequest {
    const isCapability = /^https?:/.test(call.path)
    const contentType = call.contentType ?? (call.body === undefined ? undefined : "application/json")
    return {
      method: call.method,
      url: isCapability ? call.path : `${this.baseUrl}${call.path}${queryText(call.query)}`,
      attempt,
      headers: {
        accept: "application/json",
        ...this.#options.headers,
        ...(isCapability ? {} : { authorization: `Bearer ${this.#apiKey}` }),
        ...(contentType === undefined ? {} : { "content-type": contentType }),
        ...(key === undefined ? {} : { "idempotency-key": key }),
        ...(options.traceId === undefined ? {} : { "svc-trace-id": options.traceId }),
        ...options.headers
      }
    }
  }

  #fetch({ headers, method, url }: SentRequest, call: Call, signal: AbortSignal): Promise<Response> {
    const fetch = this.#options.fetch ?? globalThis.fetch
    const body = call.bytes ?? (call.body === undefined ? null : exactText(call.body))
    // Streams are sent as they are read, which fetch allows with this member only.
    const streaming = body instanceof ReadableStream ? { duplex: "half" } : {}
    // The API redirects nothing. `error` would say so, but some workers know only `follow` and `manual`.
    const init = { method, headers, body, signal, redirect: "manual", ...streaming }
    return fetch(url, init as RequestInit)
  }

  /** Aborts when the time of one try is over, or when the caller aborts, even while a streamed answer is read. */
  #deadline(options: RequestOptions) {
    const controller = new AbortController()
    const over = new AbortController()
    const timeoutMs = this.#timeoutMs(options)
    this.timing.sleep(timeoutMs, over.signal).then(
      () => controller.abort(new CarteiroTimeoutError(`no answer within ${timeoutMs} ms`)),
      () => {}
    )
    const signal =
      options.signal === undefined ? controller.signal : AbortSignal.any([controller.signal, options.signal])
    return { signal, clear: () => over.abort() }
  }
}

const readAnswer = async <T>(
  response: Response,
  call: Call,
  attempts: number,
  url: string
): Promise<WithResponse<T>> => {
  if (response.type === "opaqueredirect" || (response.status >= 300 && response.status < 400))
    throw new CarteiroError(`${originOf(url)} redirects: baseUrl must be the origin of the API itself`)
  if (!response.ok) throw apiErrorOf(response.status, response.headers, await response.text())
  const data =
    call.answer === "stream" ? response : call.answer === "text" ? await response.text() : await json(response, url)
  const { headers, status } = response
  // The contract names the shape of each operation's answer; members that it does not name stay in the object. A-VER-05
  return { data: data as T, status, headers, attempts, requestId: headers.get("svc-request-id") ?? undefined }
}

const json = async (response: Response, url: string): Promise<unknown> => {
  const text = await response.text()
  if (text === "") return undefined
  try {
    return parseExact(text)
  } catch (cause) {
    throw new CarteiroConnectionError(`no answer of the API from ${originOf(url)}: ${text.slice(0, 80)}`, { cause })
  }
}

const connectionError = (cause: unknown, timedOut: boolean, url: string): CarteiroError => {
  if (cause instanceof CarteiroTimeoutError) return cause
  if (timedOut) return new CarteiroTimeoutError(`no answer from ${originOf(url)} in time`, { cause })
  const reason = cause instanceof Error ? (cause.cause instanceof Error ? cause.cause.message : cause.message) : ""
  return new CarteiroConnectionError(`no answer from ${originOf(url)}${reason === "" ? "" : `: ${reason}`}`, { cause })
}

const originOf = (url: string): string => new URL(url).origin

const masked = (headers: Readonly<Record<string, string>>) =>
  "authorization" in headers ? { ...headers, authorization: "Bearer ***" } : headers

/** Lists are written once for each of their values, as the API reads them. */
const queryText = (query: Query | undefined): string => {
  const written = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {})) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null) written.append(name, one instanceof Date ? one.toISOString() : String(one))
    }
  }
  const text = written.toString()
  return text === "" ? "" : `?${text}`
}

/** Reads an environment variable where the runtime has them. */
const variable = (name: string): string | undefined => globalThis.process?.env?.[name]
