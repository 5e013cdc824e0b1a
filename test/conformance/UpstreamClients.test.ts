import { assert, it } from "@effect/vitest"
import { Client } from "@great-detail/whatsapp"
import { WhatsAppClient } from "@kapso/whatsapp-cloud-api"
import { normalizeWebhook, verifySignature } from "@kapso/whatsapp-cloud-api/server"
import { Effect } from "effect"
import { WhatsAppAPI } from "whatsapp-api-js"
import {
  ActionButtons,
  ActionCTA,
  ActionList,
  Body,
  Button,
  Document,
  Image,
  Interactive,
  ListSection,
  Location,
  Reaction,
  Row,
  Text
} from "whatsapp-api-js/messages"
import { calls, platformOf, type Webhook } from "./UpstreamPlatform.ts"
import { isDescribed, undescribed } from "./vendor/Description.ts"
import { trafficFlaws } from "./vendor/Traffic.ts"

const { account, number, token } = platformOf
const phone = "5511912345678"
const link = "https://a.example/a"
const body = "Escolha"

/** A strict platform that posts webhooks, after the client has been driven. */
const stage = Effect.gen(function* () {
  const platform = yield* calls({ records: true })
  yield* platform.call("POST", `/${account}/subscribed_apps`)
  yield* platform.control("/subscribe", { url: platform.receiver.url })
  return platform
})

/** Has a customer write one of each kind, and the platform report about the account; returns the webhooks. */
const every = Effect.fnUntraced(function* ({ control, receiver }: Effect.Success<typeof stage>) {
  const context = { from: "5511900000001", id: "wamid.x" }
  const kinds: ReadonlyArray<object> = [
    { text: { body: "Olá" } },
    { type: "image", image: { caption: "c" } },
    { type: "location", location: { latitude: -23.5, longitude: -46.6, name: "Praça", address: "Rua 1" } },
    { type: "contacts", contacts: [{ name: { formatted_name: "Ana" }, phones: [{ phone: "1" }] }] },
    { type: "order", order: { catalog_id: "1", text: "", product_items: [] } },
    { type: "reaction", reaction: { message_id: "wamid.x", emoji: "👍" } },
    { type: "button", button: { payload: "P", text: "Parar" }, context },
    { type: "interactive", interactive: { type: "button_reply", button_reply: { id: "a", title: "Sim" } }, context },
    { type: "interactive", interactive: { type: "list_reply", list_reply: { id: "a", title: "A" } }, context },
    {
      type: "interactive",
      interactive: {
        type: "nfm_reply",
        nfm_reply: { name: "flow", body: "Sent", response_json: '{"flow_token":"t"}' }
      },
      context
    },
    { type: "unsupported" },
    { type: "edit", edit: { original_message_id: "wamid.x", message: { type: "text", text: { body: "b" } } } },
    { type: "revoke", revoke: { original_message_id: "wamid.x" } }
  ]
  for (const kind of kinds)
    yield* control("/inbound", { from: `+${phone}`, user_id: "BR.42", username: "@ana", ...kind })
  yield* control("/inbound", { from: null, user_id: "BR.43", text: { body: "escondida" } })
  yield* control("/echoes", { to: `+${phone}`, text: { body: "oi" } })
  yield* control("/user-ids", { from: null, user_id: "BR.43", current: "BR.44" })
  yield* control("/preferences", { from: `+${phone}`, value: "stop" })
  for (const field of ["account_update", "phone_number_quality_update", "security", "account_alerts"]) {
    yield* control("/notices", { biz_account_id: account, field })
  }
  yield* control("/inbound", { from: `+${phone}`, text: { body: "the last" } })
  yield* receiver.until((text) => text.includes("the last"))
  return { count: kinds.length, webhooks: receiver.webhooks as ReadonlyArray<Webhook> }
})

const promise = <A>(run: () => Promise<A>) => Effect.promise(run)

it.live(`whatsapp-api-js sends each kind and parses each webhook${undescribed} (U-SIM-03)`, () =>
  Effect.gen(function* () {
    const platform = yield* stage
    const { simulator } = platform
    const api = new WhatsAppAPI({
      token,
      appSecret: "secret",
      v: "v23.0",
      ponyfill: {
        fetch: (url: unknown, init?: RequestInit) =>
          fetch(String(url).replace("https://graph.facebook.com", simulator.url), init)
      }
    })
    const buttons = new ActionButtons(new Button("a", "Sim"), new Button("b", "Não"))
    const list = new ActionList("Ver", new ListSection("S", new Row("a", "A", "d")))
    const messages = [
      new Text("oi"),
      new Image(`${link}.png`, false, "c"),
      new Document(`${link}.pdf`, false, "c", "a.pdf"),
      new Location(-46.6, -23.5, "Praça", "Rua 1"),
      new Reaction("wamid.x", "👍"),
      new Interactive(buttons, new Body(body)),
      new Interactive(list, new Body(body)),
      new Interactive(new ActionCTA("Abrir", link), new Body(body))
    ]
    for (const message of messages) {
      const answer = yield* promise(() => api.sendMessage(number, { phone, bsuid: "BR.42" }, message))
      assert.property(answer, "messages", JSON.stringify([message, answer]))
    }
    const hidden = yield* promise(() => api.sendMessage(number, { bsuid: "BR.42" }, new Text("oi")))
    assert.property(hidden, "messages")
    assert.deepStrictEqual(yield* promise(() => api.markAsRead(number, "wamid.x", "text")), { success: true })

    const { webhooks } = yield* every(platform)
    const parsed: Array<string> = []
    api.on.message = ({ message }: { readonly message: { readonly type: string } }) => {
      parsed.push(message.type)
    }
    for (const { json, signature, text } of webhooks) {
      assert.isTrue(yield* promise(() => api.verifyRequestSignature(text, signature)))
      for (const one of json.entry) {
        for (const change of one.changes.filter(
          ({ field, value }: { field: string; value: object }) => field === "messages" && "messages" in value
        )) {
          yield* promise(async () =>
            api.post({ ...json, entry: [{ ...one, changes: [change] }] }, text, signature).catch(() => undefined)
          )
        }
      }
    }
    assert.includeMembers(parsed, [
      "text",
      "image",
      "location",
      "contacts",
      "order",
      "reaction",
      "button",
      "interactive",
      "edit",
      "revoke"
    ])
    if (isDescribed) assert.deepStrictEqual(trafficFlaws(simulator.log.read(0, null)), [])
  }).pipe(Effect.scoped)
)

it.live(`@kapso/whatsapp-cloud-api sends each kind and parses each webhook${undescribed} (U-SIM-03)`, () =>
  Effect.gen(function* () {
    const platform = yield* stage
    const { simulator } = platform
    const { messages } = new WhatsAppClient({ accessToken: token, baseUrl: simulator.url, graphVersion: "v23.0" })
    const to = { phoneNumberId: number, to: phone }
    const sends: ReadonlyArray<() => Promise<unknown>> = [
      () => messages.sendText({ ...to, body: "oi", previewUrl: false }),
      () => messages.sendText({ phoneNumberId: number, recipient: "BR.42", body: "oi" }),
      () => messages.sendImage({ ...to, image: { link: `${link}.png`, caption: "c" } }),
      () => messages.sendDocument({ ...to, document: { link: `${link}.pdf`, filename: "a.pdf" } }),
      () => messages.sendLocation({ ...to, location: { latitude: -23.5, longitude: -46.6, name: "P", address: "R" } }),
      () => messages.sendReaction({ ...to, reaction: { messageId: "wamid.x", emoji: "👍" } }),
      () => messages.sendInteractiveButtons({ ...to, bodyText: body, buttons: [{ id: "a", title: "Sim" }] }),
      () =>
        messages.sendInteractiveList({
          ...to,
          bodyText: body,
          buttonText: "Ver",
          sections: [{ title: "S", rows: [{ id: "a", title: "A" }] }]
        }),
      () => messages.sendInteractiveCtaUrl({ ...to, bodyText: body, parameters: { displayText: "Abrir", url: link } }),
      () => messages.markRead({ phoneNumberId: number, messageId: "wamid.x" })
    ]
    for (const send of sends) yield* promise(send)
    const { count, webhooks } = yield* every(platform)
    const parsed = webhooks.map(({ json, signature, text }) => {
      assert.isTrue(verifySignature({ appSecret: "secret", rawBody: text, signatureHeader: signature }))
      return normalizeWebhook(json)
    })
    // Each kind, the hidden customer's message, the echo and the last one.
    assert.strictEqual(parsed.flatMap((one) => one.messages).length, count + 3)
    const fields = parsed.flatMap(({ raw }) => Object.keys(raw))
    assert.includeMembers(fields, [
      "accountUpdate",
      "phoneNumberQualityUpdate",
      "security",
      "userIdUpdate",
      "userPreferences"
    ])
    assert.isAbove(parsed.flatMap(({ statuses }) => statuses).length, 0)
    if (isDescribed) assert.deepStrictEqual(trafficFlaws(simulator.log.read(0, null)), [])
  }).pipe(Effect.scoped)
)

it.live(`@great-detail/whatsapp subscribes, sends and parses each webhook${undescribed} (U-SIM-03)`, () =>
  Effect.gen(function* () {
    const platform = yield* stage
    const { simulator } = platform
    // Version 9.2.0 gives its base to a library that resolves it as a document: the last segment is lost without a slash.
    const sdk = new Client({
      baseUrl: `${simulator.url}/v23.0`,
      request: { headers: { Authorization: `Bearer ${token}` } }
    })
    const subscribed = yield* promise(() =>
      sdk.subscribedApps.createSubscription({ businessAccountID: account }).json()
    )
    assert.deepInclude(subscribed, { success: true })
    const send = (message: object) =>
      promise(() => sdk.message.createMessage({ phoneNumberID: number, to: phone, ...message } as never).json())
    for (const message of [
      { type: "text", text: { body: "oi" } },
      { type: "image", image: { link: `${link}.png` } },
      { type: "location", location: { latitude: -23.5, longitude: -46.6 } },
      { type: "reaction", reaction: { message_id: "wamid.x", emoji: "👍" } }
    ]) {
      assert.property(yield* send(message), "messages")
    }
    const file = new Blob(["x"], { type: "image/png" })
    const uploaded = yield* promise(() =>
      sdk.media.upload({ phoneNumberID: number, file, filename: "a.png", mimeType: "image/png" } as never).json()
    )
    assert.property(uploaded, "id")
    const { webhooks } = yield* every(platform)
    for (const { json, signature, text } of webhooks) {
      const headers = { "x-hub-signature-256": signature }
      const notice = yield* promise(() =>
        sdk.webhook.eventNotification({ method: "POST", query: {}, headers, body: text })
      )
      assert.isTrue(yield* promise(() => notice.checkSignature("secret")))
      assert.deepStrictEqual(notice.eventNotification as unknown, json)
    }
    if (isDescribed) assert.deepStrictEqual(trafficFlaws(simulator.log.read(0, null)), [])
  }).pipe(Effect.scoped)
)
