import { Readable } from "node:stream"
import { Effect } from "effect"
import { request } from "undici"
import { BenchFailure } from "../BenchFailure.ts"
import { bareUpload } from "../Peers.ts"
import { residentBytes } from "../Processes.ts"
import { startProduct } from "../Product.ts"
import { atLeast, limit, median } from "../Report.ts"
import { alternate, charged, type Sample } from "../Rounds.ts"
import type { Workload } from "./Workload.ts"

const megabyte = 1_048_576
/** The largest file there is. */
const megabytes = 100
const piece = Buffer.alloc(megabyte, "linha de um documento\n")
const lookMillis = 20

async function* pieces() {
  for (let sent = 0; sent < megabytes; sent++) yield piece
}

/** Uploads the file, and tells how long that took and how much the process grew meanwhile. */
const upload = Effect.fnUntraced(function* (url: string, pid: number) {
  const before = residentBytes(pid)
  let peak = before
  const looking = setInterval(() => {
    peak = Math.max(peak, residentBytes(pid))
  }, lookMillis)
  const started = performance.now()
  const status = yield* Effect.tryPromise({
    try: async () => {
      const headers = { "content-type": "text/plain", "content-length": String(megabytes * megabyte) }
      const answer = await request(url, { method: "PUT", headers, body: Readable.from(pieces()) })
      await answer.body.dump()
      return answer.statusCode
    },
    catch: (error) => new BenchFailure({ message: `PUT ${url}: ${String(error)}` })
  }).pipe(Effect.ensuring(Effect.sync(() => clearInterval(looking))))
  const seconds = (performance.now() - started) / 1000
  if (status !== 200) return yield* new BenchFailure({ message: `PUT ${url}: ${status}` })
  return { seconds, grownBytes: peak - before }
})

/** The largest upload, as an integrator with large documents makes it. */
export const mediaUpload: Workload = {
  name: "media-upload",
  about: `PUT of a document of ${megabytes} MiB, announced before: streamed, hashed and synced before the answer; against a bare Node server that does no more than that.`,
  needs: [],
  run: Effect.gen(function* () {
    const product = yield* startProduct({ name: "media-upload" })
    const bare = yield* bareUpload
    const grown: Array<number> = []
    const [pid = 0] = product.pids()
    const session = product.sandbox.post("/v1/media/uploads", {
      kind: "document",
      mime_type: "text/plain",
      byte_length: megabytes * megabyte,
      lifecycle: "library"
    })
    const ours = Effect.gen(function* () {
      const { body } = yield* session
      const { result, ...spent } = yield* charged(product, upload(body.upload_url, pid), () => megabytes)
      grown.push(result.grownBytes / megabyte)
      const completed = yield* product.sandbox.post(`/v1/media/${body.id}/complete`, undefined)
      if (completed.body.status !== "ready") return yield* new BenchFailure({ message: "the asset is not ready" })
      // What lies there already must not fill the quota of later rounds.
      yield* product.sandbox.delete(`/v1/media/${body.id}`)
      return { perSecond: megabytes / result.seconds, ...spent } satisfies Sample
    })
    const theirs = Effect.map(
      charged({ pids: () => [bare.pid] }, upload(bare.url, bare.pid), () => megabytes),
      ({ result, ...spent }): Sample => ({ perSecond: megabytes / result.seconds, ...spent })
    )
    const sides = yield* alternate([
      { name: "carteiro", round: ours },
      { name: "bare node", round: theirs }
    ])
    const most = Math.max(...grown)
    return {
      unit: "MiB",
      sides,
      bars: [
        atLeast(sides, "bare node", 0.5),
        limit("grows by at most 50 MiB in any upload", most, (value) => value <= 50)
      ],
      facts: [
        `grown by ${(median(grown) ?? 0).toFixed(0)} MiB (at most ${most.toFixed(0)}) while ${megabytes} MiB came`
      ]
    }
  })
}
