import { rateOf, standardRates } from "@carteiro/runtime/ratelimit/RateTable.ts"
import { Carteiro, CarteiroNotFoundError, memoryCursors } from "@carteiro/sdk"
import { fileCursors, fileFrom } from "@carteiro/sdk/node"
import { NodeServices } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { Effect, FileSystem } from "effect"
import { Api } from "../support/ApiTest.ts"
import { seedNumber } from "../support/Numbers.ts"
import { seedProject } from "../support/Tenants.ts"
import { WholeProduct } from "../support/WholeProduct.ts"

/** A sandbox of its own with a number, and a client for it. */
const sandboxed = Effect.fnUntraced(function* (slug: string) {
  const { acme, baseUrl } = yield* Api
  const { sandbox } = yield* seedProject(acme.organization_id, slug)
  const number = yield* seedNumber(sandbox)
  // Capability URLs name the public address; this product listens on a port of its own.
  const fetch: typeof globalThis.fetch = (url, init) => {
    const { pathname, search } = new URL(String(url))
    return globalThis.fetch(`${baseUrl}${pathname}${search}`, init)
  }
  return { number, carteiro: new Carteiro({ apiKey: sandbox.key, baseUrl, fetch }) }
})

/** The table of the contract, but for a bucket of writes that takes ten at once and fifty a second. */
const tight = { ...standardRates, "write.sandbox": { key: rateOf(10, 50, "second") } }

const customer = "+5511999998888"

const writes = (carteiro: Carteiro, to: string, body: string) =>
  carteiro.sandbox.simulateInbound({ channel: "chatapp", from: customer, to, type: "text", text: { body } })

const reply = (id: string, body: string): Carteiro.SendMessage => ({
  channel: "chatapp",
  sender: { type: "chatapp_phone_number", id },
  recipient: { type: "phone_e164", id: customer },
  message: { type: "text", text: { body } }
})

it.layer(WholeProduct(), { excludeTestServices: true })("The client against the product", (it) => {
  it.effect("sends a message once, however often it is called under one key A-IDEM-04", () =>
    Effect.gen(function* () {
      const { carteiro, number } = yield* sandboxed("sdk-send")
      yield* Effect.promise(async () => {
        await writes(carteiro, number.id, "Oi")
        const sent = await carteiro.messages.send(reply(number.id, "Olá"), { idempotencyKey: "once" }).withResponse()
        assert.strictEqual(sent.status, 202)
        assert.match(sent.requestId ?? "", /^req_/)
        const again = await carteiro.messages.send(reply(number.id, "Olá"), { idempotencyKey: "once" })
        assert.strictEqual(again.id, sent.data.id)
        const read = await carteiro.messages.get(sent.data.id)
        assert.strictEqual(read.direction, "outbound")
      })
    })
  )

  it.effect("walks a list page by page, and stops with its caller A-CONV-16", () =>
    Effect.gen(function* () {
      const { carteiro, number } = yield* sandboxed("sdk-list")
      yield* Effect.promise(async () => {
        for (const text of ["1", "2", "3", "4", "5"]) await writes(carteiro, number.id, text)
        const ids: Array<string> = []
        for await (const message of carteiro.messages.list({ limit: 2, direction: "inbound" })) ids.push(message.id)
        assert.strictEqual(new Set(ids).size, 5)
        const page = await carteiro.messages.list({ limit: 2 }).page()
        assert.deepStrictEqual([page.data.length, page.has_more], [2, true])
        const three = await carteiro.messages.list({ limit: 2 }).toArray({ limit: 3 })
        assert.deepStrictEqual(
          three.map(({ id }) => id),
          ids.slice(0, 3)
        )
      })
    })
  )

  it.effect("throws the error class of the refusal with its code, field and ids A-ERR-01", () =>
    Effect.gen(function* () {
      const { carteiro } = yield* sandboxed("sdk-errors")
      const error = yield* Effect.promise(() =>
        carteiro.messages.send(reply("pn_00000000000000000000000000", "x")).catch((failure: unknown) => failure)
      )
      assert.instanceOf(error, CarteiroNotFoundError)
      const { code, message, param, requestId, retryable, status } = error
      assert.deepStrictEqual([status, code, param, retryable], [404, "phone_number_not_found", "sender.id", false])
      assert.match(requestId ?? "", /^req_/)
      assert.isNotEmpty(message)
    })
  )

  it.effect("uploads a file in one call and downloads its bytes again", () =>
    Effect.gen(function* () {
      const { carteiro } = yield* sandboxed("sdk-media")
      const png = Uint8Array.from(
        atob("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="),
        (letter) => letter.charCodeAt(0)
      )
      yield* Effect.promise(async () => {
        const source = new File([png], "dot.png", { type: "image/png" })
        const asset = await carteiro.media.upload({ source, lifecycle: "library" })
        assert.deepStrictEqual([asset.status, asset.kind], ["ready", "image"])
        const bytes = await new Response(await carteiro.media.download(asset.id)).bytes()
        assert.deepStrictEqual([...bytes], [...png])
      })
    })
  )

  it.effect("uploads a file from disk, from a buffer and from a stream", () =>
    Effect.gen(function* () {
      const { carteiro } = yield* sandboxed("sdk-disk")
      const files = yield* FileSystem.FileSystem
      const path = `${yield* files.makeTempDirectoryScoped()}/menu.TXT`
      const text = "pão de queijo\n".repeat(20_000)
      yield* files.writeFileString(path, text)
      yield* Effect.promise(async () => {
        const read = async (assetId: string) => new Response(await carteiro.media.download(assetId)).text()
        const onDisk = await carteiro.media.upload(await fileFrom(path, { lifecycle: "library" }))
        assert.deepStrictEqual([onDisk.kind, onDisk.filename, onDisk.mime_type], ["document", "menu.TXT", "text/plain"])
        assert.isTrue((await read(onDisk.id)) === text)
        const source = new TextEncoder().encode("agenda")
        const fromBuffer = await carteiro.media.upload({ source, mimeType: "text/plain", filename: "a.txt" })
        assert.strictEqual(await read(fromBuffer.id), "agenda")
        const stream = new Blob(["agenda"]).stream()
        const fromStream = await carteiro.media.upload({ source: { stream, byteLength: 6 }, mimeType: "text/plain" })
        assert.strictEqual(fromStream.byte_length, 6)
        const file = new File(["agenda"], "b.txt", { type: "text/plain" })
        assert.strictEqual((await carteiro.media.upload(file)).filename, "b.txt")
        await fileFrom("./menu").catch((error: Error) => assert.match(error.message, /mimeType is missing/))
      })
    }).pipe(Effect.provide(NodeServices.layer))
  )

  it.effect("listen misses no event across runs, and repeats the one whose body did not finish A-LSN-01", () =>
    Effect.gen(function* () {
      const { carteiro, number } = yield* sandboxed("sdk-listen")
      yield* Effect.promise(async () => {
        for (const text of ["1", "2", "3", "4"]) await writes(carteiro, number.id, text)
        const cursors = memoryCursors()
        const seen: Array<string> = []
        const run = async (finish: number) => {
          let left = finish
          for await (const event of carteiro.listen({
            events: ["message.received"],
            startAt: "oldest",
            cursor: cursors
          })) {
            if (left === 0) return event.id
            seen.push(event.id)
            left -= 1
          }
          return ""
        }
        const interrupted = await run(2)
        const next = await run(1)
        assert.strictEqual(seen[2], interrupted)
        assert.strictEqual(await run(0), next)
        assert.strictEqual(new Set([...seen, next]).size, 4)
      })
    })
  )
})

it.layer(WholeProduct({ rates: tight, clock: "live" }), { excludeTestServices: true })(
  "The client at a limit",
  (it) => {
    it.effect("100 sends at once all pass, although a bucket takes ten of them A-ERR-41", () =>
      Effect.gen(function* () {
        const { carteiro, number } = yield* sandboxed("sdk-limit")
        const keys = Array.from({ length: 100 }, (_, at) => `parallel ${at}`)
        const sent = yield* Effect.promise(async () => {
          await writes(carteiro, number.id, "Oi")
          return Promise.all(
            keys.map((idempotencyKey) => carteiro.messages.send(reply(number.id, "Olá"), { idempotencyKey }))
          )
        })
        assert.strictEqual(new Set(sent.map(({ id }) => id)).size, 100)
      })
    )
  }
)

it.effect("fileCursors keep the place in a private file across processes", () =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const path = `${yield* files.makeTempDirectoryScoped()}/place`
    yield* Effect.promise(async () => {
      assert.isUndefined(await fileCursors(path).load())
      await fileCursors(path).save("cur_1 evt_1")
      await fileCursors(path).save("cur_2 evt_2")
      assert.strictEqual(await fileCursors(path).load(), "cur_2 evt_2")
    })
    assert.strictEqual((yield* files.stat(path)).mode & 0o777, 0o600)
  }).pipe(Effect.provide(NodeServices.layer))
)
