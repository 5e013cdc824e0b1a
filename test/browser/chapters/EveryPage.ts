import { strict as assert } from "node:assert"
import { consoleRoutes } from "../ConsoleRoutes.ts"
import { crawl, lookAtEvery } from "../EveryPage.ts"
import { type Scene, untilIs } from "../Scene.ts"

/** Some seventy pages, four times each, on the slowest machine. */
const walkLimit = 1_200_000

/** Every page of the console and of the documentation, found by links from those that the story looked at. */
export const everyPage = async (scene: Scene): Promise<void> => {
  const { browser, dev, page, steps, views } = scene
  const baseURL = dev.base_url
  const signIn = "/dashboard/sign-in"
  const own = page.context()
  let all: ReadonlyMap<string, string> = new Map()

  await steps.step("links lead to every page of the console", async () => {
    const begun = await begin(scene)
    all = await crawl(own, [
      ...begun,
      "/dashboard",
      "/dashboard/kit",
      "/docs",
      "/docs/search?q=webhook",
      ...views.looked()
    ])
    const missing = consoleRoutes.filter((route) => route !== signIn && !all.has(route))
    assert.deepEqual(missing, [])
  })

  const sections = [
    ["the console, in English", "en", (pattern: string) => !pattern.startsWith("/docs")],
    ["the console, in Portuguese", "pt", (pattern: string) => !pattern.startsWith("/docs")],
    ["the documentation", "en", (pattern: string) => pattern.startsWith("/docs")]
  ] as const
  for (const [name, language, belongs] of sections) {
    await steps.step(
      `axe finds nothing on any page of ${name}, light and dark, wide and narrow; each fits, is small and runs by its policy`,
      async () => {
        const addresses = [...all].flatMap(([pattern, address]) => (belongs(pattern) ? [address] : []))
        assert.deepEqual(await lookAtEvery(browser, await own.cookies(), { baseURL, language, addresses }), [])
      },
      walkLimit
    )
  }

  await steps.step("axe finds nothing on the page of a visitor who is not signed in", async () => {
    const options = { baseURL, language: "en", addresses: [signIn] } as const
    assert.deepEqual(await lookAtEvery(browser, [], options), [])
  })
}

/** Makes things that are not over yet, and returns the addresses of their pages, which lead to those that end them. */
const begin = async (scene: Scene): Promise<ReadonlyArray<string>> => {
  const { call, dev, environment, key } = scene
  const addresses: Array<string> = []
  const number = (dev.sandbox as { readonly phone_number_id?: string }).phone_number_id
  const customer = { customer_name: "Ana Souza", customer_tax_id: "12345678909" }
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString()
  for (const [path, body] of [
    ["payments", { amount_brl_centavos: 2550, ...customer }],
    ["agentic/authorizations", { bank_id: "sbbank_alpha", max_amount_brl_centavos: 50_000, ...customer }],
    ["groups", { phone_number_id: number, subject: "Clientes de maio" }],
    [
      "batches",
      {
        sender: { type: "chatapp_phone_number", id: number },
        template: { name: "welcome", language: "pt_BR" },
        recipients: [{ to: "+5511961000000", variables: { "1": "Maria" } }],
        scheduled_at: tomorrow
      }
    ],
    ["webhook-endpoints", { url: "https://receiver.example/hook", subscribed_events: ["message.received"] }]
  ] as const) {
    const { body: answer, status } = await call("POST", `/v1/${path}`, { key, body })
    assert.ok(status < 300, JSON.stringify(answer))
    if (path === "batches") addresses.push(`/dashboard/batches/${environment}/${answer.id}`)
    if (path === "webhook-endpoints") addresses.push(`/dashboard/webhooks/${environment}/endpoints/${answer.id}`)
  }
  // A draft can be deleted, and a published flow deprecated.
  const flow = { name: "Agendamento", flow_json: { version: "7.2", screens: [{ id: "DATA", title: "Quando?" }] } }
  await call("POST", "/v1/flows", { key, body: flow })
  const made = await call("POST", "/v1/flows", { key, body: { ...flow, name: "Pesquisa" } })
  const published = await call("POST", `/v1/flows/${made.body.id}/publish`, { key })
  assert.equal(published.status, 200, JSON.stringify(published.body))
  await addNumberAccount(scene)
  return addresses
}

/** Adds an account at the number provider, which a paid plan manages, and waits until its numbers are listed. */
const addNumberAccount = async (scene: Scene): Promise<void> => {
  const { call, key } = scene
  const plan = { plan_offering_id: "plo_standard", rail: "pix_annual" }
  const chosen = await call("POST", "/v1/billing/plan/subscribe", { key, body: plan, idempotencyKey: "plan-1" })
  assert.ok(chosen.status < 300, JSON.stringify(chosen.body))
  await untilIs(scene, "/v1/billing/plan", ({ status }) => status === "active")
  const account = { display_name: "Nossos números", account_id: "acc_1", api_key: "key-of-the-account" }
  const path = "/v1/provider-connections/numprov"
  const made = await call("POST", path, { key, body: account, idempotencyKey: "account-1" })
  assert.equal(made.status, 202, JSON.stringify(made.body))
  await untilIs(scene, `${path}/${made.body.id}`, ({ status }) => status === "connected")
}
