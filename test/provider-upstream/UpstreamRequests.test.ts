import { createHmac } from "node:crypto"
import { readFileSync } from "node:fs"
import { createServer, type IncomingHttpHeaders } from "node:http"
import type { AddressInfo } from "node:net"
import { operatorUrl } from "@carteiro/outbound/Calls.ts"
import type { ChatContent } from "@carteiro/provider/ChatContent.ts"
import { makeUpstream } from "@carteiro/provider-upstream/Upstream.ts"
import { providerSettings } from "@carteiro/runtime/boot/settings/ProviderSettings.ts"
import { assert, it } from "@effect/vitest"
import { Effect, Redacted, Stream } from "effect"
import { uploadName } from "../../packages/provider-upstream/UploadName.ts"
import { factsOf, tokenFacts } from "../../packages/provider-upstream/UpstreamTokens.ts"
import { messageBody } from "../../packages/provider-upstream/UpstreamWire.ts"
import { overSockets } from "../support/Vendors.ts"

/** Reads an input of `test/cases/upstream`. */
const caseOf = (name: string) =>
  JSON.parse(readFileSync(new URL(`../cases/upstream/${name}.json`, import.meta.url), "utf8"))

const send = { message_id: "msg_1", channel: "chatapp", sender: { id: "pn_1", phone: null }, reply_to: null } as const
const bodyOf = (content: ChatContent, recipient = "+5511912345678") =>
  messageBody({ ...send, recipient, content }, { content, file: undefined }, "whatsapp")

it("a send names the platform's product without any setting U-CON-01", () => {
  const { request, want } = caseOf("request-default-messaging-product")
  const product = providerSettings.upstreamMessagingProduct.absent(true)
  assert.strictEqual(`messaging_product ${product}`, want)
  const { biz_opaque_callback_data: _, ...body } = bodyOf({ type: "text", body: "x", preview_url: false })
  const { biz_opaque_callback_data: __, ...seen } = request.body
  assert.deepStrictEqual(JSON.parse(JSON.stringify(body)), { ...seen, messaging_product: "whatsapp" })
})

it("a header of buttons goes out with its type U-SND-03", () => {
  const { api } = caseOf("request-button-header-without-type")
  const { interactive } = bodyOf({ type: "interactive", interactive: api.interactive }) as unknown as {
    readonly interactive: { readonly header: unknown }
  }
  assert.deepStrictEqual(interactive.header, { type: "text", text: "H" })
})

it("a document of an uploaded file goes out under a name U-SND-01", () => {
  const file = { _tag: "Handle", id: "9", filename: "nota.pdf" } as const
  const content: ChatContent = {
    type: "media",
    kind: "document",
    file,
    caption: null,
    filename: "nota.pdf",
    voice: false
  }
  const body = messageBody({ ...send, recipient: "+5511912345678", content }, { content, file: "9" }, "whatsapp")
  assert.deepStrictEqual((body as unknown as { readonly document: unknown }).document, {
    id: "9",
    filename: "nota.pdf"
  })
})

it("a document in a template's header goes out under its name too U-SND-01", () => {
  const file = { _tag: "Handle", id: "9", filename: "nota.pdf" } as const
  const header = { type: "media", kind: "document", file, filename: "nota.pdf" } as const
  const template = { name: "invoice", language: "pt_BR", header, body: [], buttons: [] }
  const content: ChatContent = { type: "template", template }
  const body = messageBody({ ...send, recipient: "+5511912345678", content }, { content, file: "9" }, "whatsapp")
  const { components } = (body as unknown as { readonly template: { readonly components: ReadonlyArray<unknown> } })
    .template
  const document = { id: "9", filename: "nota.pdf" }
  assert.deepStrictEqual(components, [{ type: "header", parameters: [{ type: "document", document }] }])
})

it("the name of an upload fits its media type, whatever the file was called U-SND-02", () => {
  const names = [
    [null, "image/png", "file.png"],
    ["voz", "audio/ogg; codecs=opus", "voz.ogg"],
    ["foto.jpeg", "image/jpeg", "foto.jpeg"],
    ["foto.png", "image/jpeg", "foto.jpg"],
    ["Ata 12. reunião", "application/pdf", "Ata 12. reunião.pdf"],
    [".pdf", "application/pdf", ".pdf.pdf"],
    ["dados.bin", "application/x-unknown", "dados.bin"]
  ] as const
  for (const [given, type, name] of names) assert.strictEqual(uploadName(given, type), name)
})

it("only grants on accounts name accounts; one without ids is for all U-CON-04", () => {
  const { answer } = caseOf("answer-debug-token-business-management")
  const facts = tokenFacts(factsOf(answer) ?? {})
  assert.deepStrictEqual([facts.biz_account_ids, facts.portfolio_ids], [["209876543210001"], ["555000000000001"]])
  const granular_scopes = [
    { scope: "whatsapp_business_management" },
    { scope: "business_management", target_ids: ["555"] }
  ]
  const all = tokenFacts({ is_valid: true, granular_scopes })
  assert.deepStrictEqual([all.biz_account_ids, all.portfolio_ids], [[], ["555"]])
})

interface Heard {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** What the platform answers to a proven call, by the end of its path. */
const answers = [
  ["/media", { id: "m9" }],
  ["/uploads", { id: "upload:abc" }],
  ["/upload:abc", { h: "4::handle" }]
] as const

/** A platform that notes each call and refuses proofs of other secrets. */
const platform = Effect.acquireRelease(
  Effect.promise(
    () =>
      new Promise<{ readonly url: string; readonly heard: Array<Heard>; readonly close: () => void }>((resolve) => {
        const heard: Array<Heard> = []
        const server = createServer((request, response) => {
          const url = new URL(request.url ?? "", "http://localhost")
          const pieces: Array<Buffer> = []
          const proof = createHmac("sha256", "second").update("token").digest("hex")
          const isProven = url.searchParams.get("appsecret_proof") === proof
          const origin = `http://${request.headers.host}`
          const found = url.pathname.endsWith("/m1")
            ? { id: "m1", url: `${origin}/file`, mime_type: "text/plain", file_size: 2 }
            : (answers.find(([end]) => url.pathname.endsWith(end))?.[1] ?? { success: true })
          const refused = { error: { code: 100, message: "Invalid appsecret_proof provided in the API argument" } }
          response.statusCode = isProven || url.pathname === "/file" ? 200 : 400
          request.on("data", (piece: Buffer) => pieces.push(piece))
          request.on("end", () => {
            heard.push({ path: url.pathname, headers: request.headers, body: String(Buffer.concat(pieces)) })
            response.end(url.pathname === "/file" ? "ok" : JSON.stringify(isProven ? found : refused))
          })
        })
        server.listen(0, "127.0.0.1", () =>
          resolve({
            url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
            heard,
            close: () => {
              server.closeAllConnections()
              server.close()
            }
          })
        )
      })
  ),
  ({ close }) => Effect.sync(close)
)

it.live(
  "every call proves its token, also while the app's secret is rotated, and names the product U-CON-05 U-CON-06",
  () =>
    Effect.gen(function* () {
      const { heard, url } = yield* platform
      const secrets = [Redacted.make("first"), Redacted.make("second")] as const
      const options = { url: operatorUrl(url), version: "v23.0", messagingProduct: "whatsapp" }
      const adapter = yield* overSockets(makeUpstream(options, { id: "app", secrets }))
      const number = { upstream_phone_number_id: "1", token: Redacted.make("token") }
      assert.strictEqual((yield* adapter.chat(number).acknowledge("wamid.1", false))._tag, "Done")
      assert.strictEqual(heard.length, 2)
      // The secret that was taken comes first from then on.
      assert.strictEqual((yield* adapter.chat(number).acknowledge("wamid.2", false))._tag, "Done")
      assert.strictEqual(heard.length, 3)
      const found = yield* adapter.media(number).find("m1")
      if (found._tag !== "Done") return assert.fail(JSON.stringify(found))
      const opened = yield* found.value.open
      if (opened._tag !== "Done") return assert.fail(JSON.stringify(opened))
      yield* Stream.runDrain(opened.value)
      assert.strictEqual(heard.at(-1)?.path, "/file")
      assert.deepStrictEqual([...new Set(heard.map(({ headers }) => headers["user-agent"]))], ["carteiro"])
    }).pipe(Effect.scoped)
)

it.live("an upload goes out again with all its bytes when the platform refuses the first secret's proof U-CON-05", () =>
  Effect.gen(function* () {
    const { heard, url } = yield* platform
    const secrets = [Redacted.make("first"), Redacted.make("second")] as const
    const options = { url: operatorUrl(url), version: "v23.0", messagingProduct: "whatsapp" }
    const token = Redacted.make("token")
    let opened = 0
    const file = {
      _tag: "Bytes",
      mime_type: "image/png",
      filename: "a.png",
      byte_length: 5,
      open: Effect.sync(() => {
        opened++
        return Stream.make(Buffer.from("ab"), Buffer.from("cde"))
      })
    } as const
    const adapter = yield* overSockets(makeUpstream(options, { id: "app", secrets }))
    const sent = yield* adapter.media({ upstream_phone_number_id: "1", token }).upload(file)
    assert.deepStrictEqual(sent, { _tag: "Done", value: { provider_media_id: "m9" } })
    assert.strictEqual(opened, 2)
    assert.deepStrictEqual(
      heard.map(({ body }) => body.includes("\r\n\r\nabcde\r\n--")),
      [true, true]
    )
    // The session of an example begins under the secret that was taken, and its file is opened once.
    const example = yield* adapter.templates({ biz_account_id: "2", token }).uploadExample(file)
    assert.deepStrictEqual(example, { _tag: "Done", value: { header_handle: "4::handle" } })
    assert.deepStrictEqual([opened, heard.at(-1)?.body], [3, "abcde"])
  }).pipe(Effect.scoped)
)
