import { createHash } from "node:crypto"
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { Downloads } from "@carteiro/outbound/Downloads.ts"
import { NameResolver } from "@carteiro/outbound/NameResolver.ts"
import { Activations } from "@carteiro/owners/Cluster.ts"
import { Commit } from "@carteiro/owners/Commit.ts"
import { Ids } from "@carteiro/owners/Ids.ts"
import { type BlobStorage, BlobStore } from "@carteiro/provider/BlobStore.ts"
import type { ChatRefusal } from "@carteiro/provider/ChatProvider.ts"
import { type ChatSend, ConnectedChat } from "@carteiro/provider/ChatProvider.ts"
import { ConnectedMedia, type MediaProvider } from "@carteiro/provider/MediaProvider.ts"
import { insertOf } from "@carteiro/runtime/media/asset/AssetRepo.ts"
import { made } from "@carteiro/runtime/media/asset/AssetState.ts"
import * as Media from "@carteiro/runtime/media/Media.ts"
import { MediaWorker } from "@carteiro/runtime/media/owner/MediaWorker.ts"
import { room as mediaRoom } from "@carteiro/runtime/media/room.ts"
import * as Messages from "@carteiro/runtime/messages/room.ts"
import { Clock, Context, Effect, Layer, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { connectionOf } from "../support/Chat.ts"
import type { TestNumber } from "../support/Numbers.ts"
import { OwnerTest, turnBy } from "../support/OwnerTest.ts"
import { testBlobs } from "../support/TestBlobs.ts"

/** A file as the provider received it. */
export interface Given {
  readonly mime_type: string
  readonly filename: string | null
  readonly byte_length: number
  readonly bytes: Buffer
}

/** The surroundings of production messages: a provider that records its calls, and a file server. */
export class Outside extends Context.Service<
  Outside,
  {
    readonly sends: Array<ChatSend>
    readonly uploads: Array<Given>
    /** The provider's next responses, instead of accepting the file. */
    readonly refusals: Array<"Failed" | { readonly code: string; readonly error?: ChatRefusal }>
    /** The provider's description of an inbound file. */
    find: MediaProvider["find"]
    /** The file server's response; every request is recorded. */
    answer: (request: IncomingMessage, response: ServerResponse) => void
    readonly requests: Array<string>
    /** The timeout in milliseconds and the redirects that each fetch was allowed. */
    readonly limits: Array<readonly [number, number]>
    /** Returns a link to the file server under a public name. */
    readonly linkTo: (path: string) => string
    /** The store, with switches that make it fail. */
    readonly store: BlobStorage
  }
>()("@carteiro/test/media/Outside") {}

const listening = (listener: RequestListener) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const server = createServer(listener)
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
      return server
    }),
    (server) =>
      Effect.promise(async () => {
        server.closeAllConnections()
        await new Promise((resolve) => server.close(resolve))
      })
  )

const outside = Layer.effect(
  Outside,
  Effect.gen(function* () {
    const store = yield* BlobStore
    const requests: Array<string> = []
    const made: Outside["Service"] = {
      sends: [],
      uploads: [],
      refusals: [],
      find: () => Effect.succeed({ _tag: "Failed", error: null }),
      answer: (_request, response) => void response.writeHead(404).end(),
      requests,
      limits: [],
      linkTo: (path) => `http://files.example.com:${port}${path}`,
      store
    }
    const server = yield* listening((request, response) => {
      requests.push(request.url ?? "")
      made.answer(request, response)
    })
    const { port } = server.address() as AddressInfo
    return made
  })
)

/** Public names resolve to this machine; one name resolves to a private address. */
const resolver = Layer.succeed(NameResolver, {
  resolve: (name) => Effect.succeed(name === "inner.example.com" ? ["127.0.0.1", "10.0.0.7"] : ["127.0.0.1"])
})

const reached = Downloads.layer({ allowlist: new Set(), mayDial: (address) => address === "127.0.0.1" }).pipe(
  Layer.provide(resolver)
)

/** Fetches over sockets, and records the limits of each fetch. */
const downloads = Layer.effect(
  Downloads,
  Effect.gen(function* () {
    const real = yield* Downloads
    const { limits } = yield* Outside
    return Downloads.of({
      ...real,
      fetch: (request) => {
        limits.push([request.totalMs, request.redirects])
        return real.fetch(request)
      }
    })
  })
).pipe(Layer.provide(reached))

const provider = (world: Outside["Service"]): MediaProvider => ({
  find: (id) => world.find(id),
  upload: ({ open, ...file }) =>
    Effect.scoped(
      Effect.gen(function* () {
        const chunks = yield* Stream.runCollect(yield* open)
        const bytes = Buffer.concat([...chunks])
        const refusal = world.refusals.shift()
        if (refusal === "Failed") return { _tag: "Failed", error: null } as const
        if (refusal !== undefined) return { _tag: "Refused", code: refusal.code, error: refusal.error ?? null } as const
        const { byte_length, filename, mime_type } = file
        const provider_media_id = `media.${world.uploads.push({ mime_type, filename, byte_length, bytes })}`
        return { _tag: "Done", value: { provider_media_id } } as const
      })
    ).pipe(Effect.orDie)
})

let count = 0
const connections = Layer.unwrap(
  Effect.map(Outside, (world) =>
    Layer.merge(
      Layer.succeed(ConnectedMedia, () => Effect.succeed(provider(world))),
      Layer.succeed(ConnectedChat, () =>
        Effect.succeed(
          connectionOf((send) =>
            Effect.sync(() => {
              world.sends.push(send)
              return { _tag: "Accepted", provider_message_id: `wamid.${++count}`, response: {} }
            })
          )
        )
      )
    )
  )
)

/** The owners of numbers and of media in production, with these surroundings. */
export const Production = OwnerTest(
  Layer.mergeAll(Messages.room.owners, mediaRoom.owners).pipe(
    Layer.provide(Layer.mergeAll(connections, downloads, mediaRoom.services)),
    Layer.provideMerge(outside),
    Layer.provideMerge(testBlobs)
  )
)

/** Removes the effects of earlier tests from the surroundings. */
export const fresh = Effect.map(Outside, (world) => {
  for (const notes of [world.sends, world.uploads, world.refusals, world.requests, world.limits]) notes.length = 0
  return world
})

/** Stores bytes as a ready asset of the number's environment. */
export const seedAsset = Effect.fnUntraced(function* (
  { environment_id, kind: environment }: TestNumber,
  bytes: Uint8Array,
  more: Partial<Parameters<typeof made>[0]> = {}
) {
  const { store } = yield* Outside
  const now = yield* Clock.currentTimeMillis
  const id = (yield* Ids).mint("mda", now)
  const blob_key = `${environment_id}/${id}/1`
  yield* store.put(blob_key, Stream.make(bytes))
  const sha256 = createHash("sha256").update(bytes).digest("hex")
  const stored = { blob_key, sha256, byte_length: bytes.length, contradicted: false }
  const asset = made(
    {
      environment_id,
      environment,
      id,
      kind: "image",
      filename: "a.png",
      mime_type: "image/png",
      byte_length: bytes.length,
      trace_id: "0".repeat(32),
      provider: null,
      held_by: null,
      ...more
    },
    stored,
    now
  )
  yield* (yield* Commit).write([insertOf(asset)])
  return { id, blob_key, sha256 }
}, Effect.orDie)

/** Runs the due jobs of an environment's media owner, as when the sweeper finds it. */
export const wakeMedia = Effect.fnUntraced(function* (environmentId: string) {
  yield* MediaWorker.client
  const activations = yield* Activations
  activations.wake(Media.mediaOwner, environmentId)
  yield* turnBy(0)
})

/** The keys of all blobs in the store. */
export const blobKeys = Effect.flatMap(BlobStore, (store) =>
  Effect.map(Effect.orDie(store.list("", 1000)), (found) => found.map(({ key }) => key))
)

/** Returns an asset's row. */
export const assetRow = Effect.fnUntraced(function* (id: string) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{
    readonly status: string
    readonly failure_code: string | null
    readonly blob_key: string | null
    readonly byte_length: number
    readonly mime_type: string
    readonly held_by: string | null
  }>`select * from media_assets where id = ${id}`
  return rows[0]
}, Effect.orDie)
