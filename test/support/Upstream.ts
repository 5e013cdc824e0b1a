import { createHmac } from "node:crypto"
import { Commit } from "@carteiro/owners/Commit.ts"
import { numberChanges } from "@carteiro/runtime/phone-numbers/PhoneNumbers.ts"
import { DemoConnection } from "@carteiro/runtime/provider-connections/ProviderConnections.ts"
import { vendorClock } from "@carteiro/simulators/kit/Lifetime.ts"
import { startUpstream, type UpstreamSimulator } from "@carteiro/simulators/upstream/Simulator.ts"
import { Clock, Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Api } from "./ApiTest.ts"
import { seedNumber } from "./Numbers.ts"
import { until } from "./Until.ts"
import { WholeProduct, type WholeProductOptions } from "./WholeProduct.ts"

/** The ids and secrets of the simulated platform and its account in tests. */
export const account = {
  biz_account_id: "2001",
  phone_number_id: "1001",
  token: "test-token",
  app_secret: "app-secret",
  verify_token: "verify-me"
}

const templates = [
  { name: "welcome", language: "pt_BR", category: "UTILITY", body: 1 },
  { name: "promo", language: "pt_BR", category: "MARKETING", body: ["first_name"] },
  { name: "code", language: "pt_BR", category: "AUTHENTICATION", body: 1 }
] as const

/** A simulated platform while the scope is open. */
export const simulatedUpstream = Effect.acquireRelease(
  Effect.promise(async () => {
    const simulator = await startUpstream({
      now: vendorClock,
      appId: "app",
      appSecret: account.app_secret,
      verifyToken: account.verify_token,
      statusUnitMs: 0,
      reviewMs: 0
    })
    simulator.world.add({
      ...account,
      templates,
      subscribed: true,
      numbers: [{ id: account.phone_number_id, display_phone_number: "+1" }]
    })
    return simulator
  }),
  (simulator) => Effect.promise(() => simulator.close())
)

/** The platform of the product under test. */
export class Upstream extends Context.Service<Upstream, UpstreamSimulator>()("@carteiro/test/support/Upstream") {}

/** The whole product over sockets, on the machine's clock, with a simulated platform. */
export const UpstreamProduct = (
  options: { readonly product?: boolean } & Pick<WholeProductOptions, "settings" | "vendors"> = {}
) =>
  Layer.unwrap(
    Effect.map(simulatedUpstream, (simulator) =>
      WholeProduct({
        clock: "live",
        ...(options.vendors && { vendors: options.vendors }),
        settings: {
          ...(options.product === false ? undefined : { CARTEIRO_UPSTREAM_API_BASE_URL: simulator.url }),
          ...options.settings,
          CARTEIRO_UPSTREAM_APP_ID: "app",
          CARTEIRO_UPSTREAM_APP_SECRET: account.app_secret,
          CARTEIRO_UPSTREAM_WEBHOOK_VERIFY_TOKEN: account.verify_token
        }
      }).pipe(Layer.provideMerge(Layer.succeed(Upstream, simulator)))
    )
  )

/**
 * A production number of acme that the platform covers, with a subscribed receiver, and the steps that tests take with
 * it.
 */
export const upstreamStage = Effect.gen(function* () {
  const api = yield* Api
  const simulator = yield* Upstream
  const sql = yield* SqlClient.SqlClient
  const { production } = api.acme
  const now = yield* Clock.currentTimeMillis
  const number = yield* seedNumber({ id: production.id, kind: "production" })
  const { biz_account_id, phone_number_id, token } = account
  // Each test has its own number under one id at the platform: earlier numbers have been released.
  yield* Effect.orDie(
    sql`update phone_numbers set status = 'disconnected' where upstream_phone_number_id = ${phone_number_id}`
  )
  const covered = { environment_id: production.id, id: number.id, updated_at: now, biz_account_id }
  yield* Effect.orDie(
    (yield* Commit).write([numberChanges.cover({ ...covered, upstream_phone_number_id: phone_number_id })])
  )
  const demo = { environment_id: production.id, biz_account_id, phone_number_id, display_phone_number: null, token }
  yield* (yield* DemoConnection).connect(demo, now)
  yield* Effect.promise(() => simulator.notices.subscribe(`${api.baseUrl}/webhooks/upstream`))

  const { key } = production
  const control = (path: string, body: object) =>
    Effect.promise(() => fetch(`${simulator.url}${path}`, { method: "POST", body: JSON.stringify(body) }))
  const send = (message: object, to: string = customer, more: object = {}) =>
    api.post(
      "/v1/messages",
      {
        channel: "chatapp",
        sender: { type: "chatapp_phone_number", id: number.id },
        recipient: { type: "phone_e164", id: to },
        message,
        ...more
      },
      { key }
    )
  const read = (id: string) => Effect.map(api.get(`/v1/messages/${id}`, { key }), ({ body }) => body)
  return {
    api,
    simulator,
    sql,
    number,
    key,
    control,
    send,
    read,
    text: (body = "Olá") => ({ type: "text", text: { body } }),
    /** Simulates a customer's message, which opens the window. */
    hear: (from: string | null = customer, more: object = {}) =>
      Effect.orDie(
        Effect.gen(function* () {
          const answer = yield* control("/inbound", { from, text: { body: "oi" }, ...more })
          const { provider_message_id } = yield* Effect.promise(
            () => answer.json() as Promise<{ provider_message_id: string }>
          )
          const find = sql<{ readonly id: string }>`select id from messages
            where provider_message_id = ${provider_message_id} and direction = 'inbound'`
          yield* until(Effect.map(find, (rows) => rows.length === 1))
          return { id: (yield* find)[0]?.id ?? "", provider_message_id }
        })
      ),
    /** Waits until a message has one of these statuses. */
    reaches: (id: string, ...statuses: ReadonlyArray<string>) =>
      until(Effect.map(read(id), (message) => statuses.includes(message.status))),
    faults: (...faults: ReadonlyArray<object>) => control("/faults", { faults }),
    /** Posts a body like the platform. */
    tell: (body: object | string, signature?: string) => {
      const text = typeof body === "string" ? body : JSON.stringify(body)
      const signed = createHmac("sha256", account.app_secret).update(text).digest("hex")
      return api.post("/webhooks/upstream", text, {
        headers: { "x-hub-signature-256": signature ?? `sha256=${signed}` }
      })
    }
  }
})

export const customer = "+5511912345678"

/** Returns a webhook about the tests' number. */
export const told = (value: object, field = "messages", phone_number_id = account.phone_number_id) => ({
  object: "whatsapp_business_account",
  entry: [
    {
      id: account.biz_account_id,
      changes: [
        {
          field,
          value: { messaging_product: "whatsapp", metadata: { display_phone_number: "1", phone_number_id }, ...value }
        }
      ]
    }
  ]
})
