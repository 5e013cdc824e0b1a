import { Context, Data, Effect, Layer, type Scope, Stream } from "effect"
import type { Dispatcher } from "undici"
import { checkedPool, type DialContext, mayDialOf, type NotDialled, type OutboundOptions } from "./Dialler.ts"
import { NameResolver } from "./NameResolver.ts"
import { Pools } from "./Pools.ts"
import type { Allowlist } from "./Targets.ts"
import { TenantLink } from "./Urls.ts"

export type { TenantLink } from "./Urls.ts"

/** A request for a file. */
export interface DownloadRequest {
  readonly url: TenantLink
  /** The longest time for all of it, every hop and the last byte included, in milliseconds. M-DLV-09 */
  readonly totalMs: number
  /** The most redirects that are followed. M-LIM-04 */
  readonly redirects: number
}

/** A file in download. */
export interface Download {
  /** The content type that the server gives; null when it gives none. */
  readonly content_type: string | null
  readonly byte_length: number | null
  readonly bytes: Stream.Stream<Uint8Array, DownloadFailed>
}

/** A file could not be fetched; a temporary failure may be retried. No reason names an address from a look-up. */
class DownloadFailed extends Data.TaggedError("DownloadFailed")<{
  readonly reason: string
  readonly isPassing: boolean
}> {}

/** Services of downloads; the allowlist judges the targets of redirects. */
interface DownloadContext extends DialContext {
  readonly allowlist: Allowlist
}

const connectTimeoutMs = 5000
/** The longest silence of a server, in milliseconds. */
const idleTimeoutMs = 15_000
const redirecting: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
/** Statuses of temporary failures. */
const passing: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504])

const failed = (reason: string, isPassing: boolean) => new DownloadFailed({ reason, isPassing })

/** Fetches files from tenants' addresses; each hop is checked like the first. gaps-2 F "Link fetch safety" */
export class Downloads extends Context.Service<
  Downloads,
  {
    /** Returns the file as it arrives; closing the scope ends the download. */
    fetch(request: DownloadRequest): Effect.Effect<Download, DownloadFailed, Scope.Scope>
    /** Returns the link of a tenant; undefined when the text alone shows that it must not be fetched. */
    tenantLink(text: string): TenantLink | undefined
  }
>()("@carteiro/outbound/Downloads") {
  static readonly layer = (options: OutboundOptions) =>
    Layer.effect(
      Downloads,
      Effect.gen(function* () {
        const resolver = yield* NameResolver
        const pools = yield* Effect.acquireRelease(
          Effect.sync(() => new Pools(connectTimeoutMs, idleTimeoutMs)),
          (held) => Effect.promise(() => held.close())
        )
        return Downloads.of({
          fetch: downloadWith({ allowlist: options.allowlist, mayDial: mayDialOf(options), resolver, pools }),
          tenantLink: (text) => linkOf(text, options.allowlist)
        })
      })
    )
}

const linkOf = (text: string, allowlist: Allowlist): TenantLink | undefined => {
  const link = TenantLink.readLink(text, allowlist)
  return typeof link === "string" ? undefined : link
}

const notAllowed = failed("the address is not allowed", false)

const notDialled = (why: NotDialled) => (why === "blocked" ? notAllowed : failed("the host name did not resolve", true))

const downloadWith =
  (context: DownloadContext) =>
  ({ redirects, totalMs, url }: DownloadRequest): Effect.Effect<Download, DownloadFailed, Scope.Scope> =>
    Effect.gen(function* () {
      const abort = yield* Effect.acquireRelease(
        Effect.sync(() => {
          const controller = new AbortController()
          const timer = setTimeout(() => controller.abort(), totalMs)
          return { controller, timer }
        }),
        ({ controller, timer }) =>
          Effect.sync(() => {
            clearTimeout(timer)
            controller.abort()
          })
      )
      const { signal } = abort.controller

      let link = url
      for (let hop = 0; hop <= redirects; hop++) {
        const held = yield* Effect.mapError(checkedPool(context, link.target, connectTimeoutMs), notDialled)
        held.inFlight++
        yield* Effect.addFinalizer(() => Effect.sync(() => void held.inFlight--))
        const answer = yield* Effect.tryPromise({
          try: () => held.pool.request({ path: link.target.path, method: "GET", signal, headers }),
          catch: () => failed(signal.aborted ? "it took too long" : "the connection failed", true)
        })
        yield* Effect.addFinalizer(() => Effect.sync(() => void answer.body.on("error", () => {}).destroy()))
        if (!redirecting.has(answer.statusCode)) return yield* read(answer, signal)
        const location = headerOf(answer, "location")
        const followed = location === null ? null : URL.parse(location, link.href)
        if (followed === null) return yield* failed("it redirects to nowhere", false)
        // A fragment is never sent: it only has a meaning within the page.
        followed.hash = ""
        const next = linkOf(followed.href, context.allowlist)
        if (next === undefined) return yield* notAllowed
        link = next
      }
      return yield* failed("it redirects too often", false)
    })

const headers = { accept: "*/*", "user-agent": "carteiro" }

const read = (answer: Dispatcher.ResponseData, signal: AbortSignal): Effect.Effect<Download, DownloadFailed> => {
  if (answer.statusCode < 200 || answer.statusCode > 299) {
    return Effect.fail(failed(`it answers ${answer.statusCode}`, passing.has(answer.statusCode)))
  }
  const length = Number(headerOf(answer, "content-length") ?? Number.NaN)
  return Effect.succeed({
    content_type: headerOf(answer, "content-type"),
    byte_length: Number.isSafeInteger(length) ? length : null,
    bytes: Stream.fromAsyncIterable<Uint8Array, DownloadFailed>(answer.body, () =>
      failed(signal.aborted ? "it took too long" : "the connection broke", true)
    )
  })
}

const headerOf = ({ headers }: Dispatcher.ResponseData, name: string): string | null => {
  const [value] = [headers[name]].flat()
  return value === undefined ? null : value
}
