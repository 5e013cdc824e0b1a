import { mkdtempSync, rmSync } from "node:fs"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { BlobStore, BlobStoreFailed } from "@carteiro/provider/BlobStore.ts"
import { s3Blobs } from "@carteiro/provider-s3/S3Blobs.ts"
import { assert, it } from "@effect/vitest"
import { Effect, Layer, Redacted, Stream } from "effect"
import S3rver from "s3rver"
import { testBlobs } from "../support/TestBlobs.ts"

/** A local S3 server with one bucket, in a folder of its own. */
const bucket = Layer.unwrap(
  Effect.gen(function* () {
    const directory = yield* Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "carteiro-s3-"))),
      (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
    )
    const server = new S3rver({ port: 0, silent: true, directory, configureBuckets: [{ name: "media", configs: [] }] })
    const address: AddressInfo = yield* Effect.acquireRelease(
      Effect.promise(() => server.run()),
      () => Effect.promise(() => server.close())
    )
    return s3Blobs({
      endpoint: `http://127.0.0.1:${address.port}`,
      bucket: "media",
      region: "us-east-1",
      accessKey: Redacted.make("S3RVER"),
      secretKey: Redacted.make("S3RVER")
    })
  })
)

const collected = Effect.fnUntraced(function* (key: string, range?: { readonly first: number; readonly last: number }) {
  const store = yield* BlobStore
  const file = yield* store.open(key, range)
  if (file === undefined) return undefined
  const chunks = yield* Stream.runCollect(
    Stream.fromAsyncIterable<Uint8Array, BlobStoreFailed>(file, () => new BlobStoreFailed({ reason: "read" }))
  )
  return Buffer.concat([...chunks])
})

for (const [name, layer] of [
  ["disk", testBlobs],
  ["s3", bucket]
] as const) {
  it.layer(layer)(`The blob store of ${name}`, (it) => {
    it.effect("keeps small and large blobs, gives parts of them and removes them", () =>
      Effect.gen(function* () {
        const store = yield* BlobStore
        const large = Buffer.alloc(20 * 1_048_576, "0123456789abcdef")
        yield* store.put("env_a/mda_1/one", Stream.make(Buffer.from("hello "), Buffer.from("world")))
        yield* store.put(
          "env_a/mda_2/two",
          Stream.fromIterable([large.subarray(0, 9_000_000), large.subarray(9_000_000)])
        )
        yield* store.put("env_b/mda_3/three", Stream.empty)
        assert.strictEqual((yield* collected("env_a/mda_1/one"))?.toString(), "hello world")
        assert.strictEqual((yield* collected("env_a/mda_1/one", { first: 6, last: 8 }))?.toString(), "wor")
        assert.isTrue((yield* collected("env_a/mda_2/two"))?.equals(large))
        assert.strictEqual((yield* collected("env_b/mda_3/three"))?.length, 0)
        assert.isUndefined(yield* collected("env_a/mda_1/none"))
        for (const key of ["env_a/mda_1/one", "env_a/mda_1/one", "env_a/mda_2/two", "env_b/mda_3/three"]) {
          yield* store.remove(key)
        }
        assert.isUndefined(yield* collected("env_a/mda_1/one"))
      })
    )

    it.effect("leaves nothing of a blob whose bytes end in a failure", () =>
      Effect.gen(function* () {
        const store = yield* BlobStore
        const broken = Stream.concat(Stream.make(Buffer.alloc(9_000_000)), Stream.fail("gone" as const))
        assert.strictEqual(yield* Effect.flip(store.put("env_a/mda_4/four", broken)), "gone")
        assert.isUndefined(yield* collected("env_a/mda_4/four"))
      })
    )
  })
}

it.layer(testBlobs)("The walk over blobs on disk", (it) => {
  it.effect("finds them behind a key, in the order of their keys", () =>
    Effect.gen(function* () {
      const store = yield* BlobStore
      for (const key of ["env_b/mda_3/three", "env_a/mda_1/one", "env_a/mda_2/two"]) yield* store.put(key, Stream.empty)
      const keys = (after: string, limit: number) =>
        Effect.map(store.list(after, limit), (found) => found.map(({ key }) => key))
      assert.deepStrictEqual(yield* keys("env_a/", 10), ["env_a/mda_1/one", "env_a/mda_2/two", "env_b/mda_3/three"])
      assert.deepStrictEqual(yield* keys("env_a/mda_1/one", 1), ["env_a/mda_2/two"])
    })
  )
})
