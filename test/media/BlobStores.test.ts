import crypto from "node:crypto"
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { BlobStore, BlobStoreFailed } from "@carteiro/provider/BlobStore.ts"
import { diskBlobs } from "@carteiro/provider-disk/DiskBlobs.ts"
import { s3Blobs } from "@carteiro/provider-s3/S3Blobs.ts"
import { assert, it } from "@effect/vitest"
import { Effect, Layer, Redacted, Stream } from "effect"
import S3rver from "s3rver"
import { testBlobs } from "../support/TestBlobs.ts"

/**
 * The local S3 server encrypts its continuation token with a cipher that this Node.js no longer has. No test continues
 * a listing by that token, so another cipher serves.
 */
const sealingAgain = Effect.acquireRelease(
  Effect.sync(() => {
    const made = crypto.createCipheriv
    const stood: Pick<typeof crypto, "createCipheriv"> = crypto
    stood.createCipheriv = ((algorithm: string, key: Uint8Array, iv: Uint8Array) =>
      algorithm === "des"
        ? made("des-ede3-cbc", Buffer.alloc(24, key), iv)
        : made(algorithm, key, iv)) as typeof crypto.createCipheriv
    return () => {
      stood.createCipheriv = made
    }
  }),
  (restore) => Effect.sync(restore)
)

/** A local S3 server with one bucket, in a temporary folder. */
const bucket = Layer.unwrap(
  Effect.gen(function* () {
    yield* sealingAgain
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

    it.effect("lists keys page by page, after a given key and in order", () =>
      Effect.gen(function* () {
        const store = yield* BlobStore
        const keys = Array.from({ length: 7 }, (_, n) => `env_w/mda_${n}/one`)
        for (const key of [...keys.toReversed(), "env_v/mda_9/one", "env_x/mda_0/one"]) {
          yield* store.put(key, Stream.make(Buffer.from("x")))
        }
        const page = (after: string, limit: number) =>
          Effect.map(store.list(after, limit), (found) => found.map(({ key }) => key))
        const walked: Array<string> = []
        for (let after = "env_w/"; walked.length < 20; after = walked.at(-1) ?? after) {
          const found = yield* page(after, 3)
          assert.isAtMost(found.length, 3)
          if (found.length === 0) break
          walked.push(...found)
        }
        assert.deepStrictEqual(walked, [...keys, "env_x/mda_0/one"])
        const [first] = yield* store.list("env_w/", 1)
        assert.isAbove(first?.stored_at ?? 0, Date.parse("2020-01-01"))
      })
    )
  })
}

it.layer(testBlobs)("The blob store of disk", (it) => {
  it.effect("releases a large chunk once it is written", () =>
    Effect.gen(function* () {
      const store = yield* BlobStore
      const large = new Uint8Array(1_048_576).fill(7)
      const small = Buffer.from("small")
      yield* store.put("env_a/mda_5/five", Stream.make(large, small))
      assert.strictEqual(large.byteLength, 0)
      assert.strictEqual(small.toString(), "small")
      assert.strictEqual((yield* collected("env_a/mda_5/five"))?.length, 1_048_581)
    })
  )
})

it.effect("The blob store of disk makes private folders, and corrects the mode of those of an earlier release", () =>
  Effect.gen(function* () {
    const root = yield* folder
    mkdirSync(root)
    chmodSync(root, 0o755)
    const store = yield* Effect.provide(BlobStore, diskBlobs(root))
    yield* store.put("env_a/mda_1/one", Stream.make(Buffer.from("x")))
    const modes = ["", "env_a", "env_a/mda_1"].map((name) => statSync(join(root, name)).mode & 0o777)
    assert.deepStrictEqual(modes, [0o700, 0o700, 0o700])
  })
)

it.effect("The blob store of disk removes a folder with its last file, also when its only file was not finished", () =>
  Effect.gen(function* () {
    const root = yield* folder
    const store = yield* Effect.provide(BlobStore, diskBlobs(root))
    const x = Stream.make(Buffer.from("x"))
    yield* store.put("env_a/mda_1/one", x)
    yield* store.put("env_a/mda_1/two", x)
    yield* store.put("env_a/mda_2/one", x)
    yield* store.remove("env_a/mda_1/one")
    assert.deepStrictEqual(readdirSync(join(root, "env_a")).toSorted(), ["mda_1", "mda_2"])
    yield* store.remove("env_a/mda_1/two")
    assert.deepStrictEqual(readdirSync(join(root, "env_a")), ["mda_2"])
    yield* Effect.flip(store.put("env_b/mda_3/one", Stream.fail("gone")))
    yield* store.remove("env_a/mda_2/one")
    yield* store.remove("env_a/mda_2/one")
    assert.deepStrictEqual(readdirSync(root), [])
  })
)

it.effect("The blob store of disk loses no file when a file beside it is removed", () =>
  Effect.gen(function* () {
    const root = yield* folder
    const store = yield* Effect.provide(BlobStore, diskBlobs(root))
    // Each round of one writer empties the folders into which the other writer is about to write.
    const writer = (name: string) =>
      Effect.forEach(
        Array.from({ length: 150 }, (_, n) => n),
        (n) =>
          Effect.gen(function* () {
            const key = `env_a/mda_1/${name}_${n}`
            yield* store.put(key, Stream.make(Buffer.from(key)))
            const file = yield* store.open(key)
            assert.isDefined(file)
            file?.destroy()
            yield* store.remove(key)
          }),
        { discard: true }
      )
    yield* Effect.all(["a", "b", "c", "d"].map(writer), { concurrency: "unbounded" })
    assert.deepStrictEqual(readdirSync(root), [])
  })
)

/** The path of a folder that is deleted after the test. */
const folder = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "carteiro-blobs-"))),
    (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
  ),
  (path) => join(path, "blobs")
)
