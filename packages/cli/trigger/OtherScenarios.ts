import { Carteiro } from "@carteiro/sdk"
import { turnAhead } from "../clock/Turn.ts"
import { sleep } from "../shell/Clock.ts"
import { byId, type Scenario, type Stage, until } from "./Scenario.ts"

/** Failed deliveries in a row that open an endpoint's breaker. A-WHE-24 */
const breakerAfter = 20

/**
 * Reads an endpoint until its breaker has opened: a sandbox gives a delivery up after its third attempt, 35 seconds
 * later.
 */
const disabled = async ({ client, shell }: Stage, id: string): Promise<Carteiro.WebhookEndpoint> => {
  shell.note("Waiting for 20 deliveries to fail three times each, most of a minute.")
  for (let look = 1; ; look++) {
    const endpoint = await client.webhooks.endpoints.get(id)
    if (endpoint.status === "disabled" || look === 90) return endpoint
    await sleep(1000, shell.io.signal)
    shell.io.signal.throwIfAborted()
  }
}

const llm = (failure: Carteiro.ArmLlmFailure["failure"]): Scenario => ({
  name: `llm.${failure}`,
  causes: `the next call of a language model fails: ${failure}; no event tells of it`,
  events: [],
  play: async ({ client, filled }) => ({
    result: await client.sandbox.armLlmFailure(filled<Carteiro.ArmLlmFailure>({ failure })),
    ids: []
  })
})

const agentic = (outcome: "authorized" | "rejected"): Scenario => ({
  name: `agentic.${outcome}`,
  causes: `a customer's bank is asked for an authorization, which is ${outcome}; no event tells of it`,
  events: [],
  play: async ({ client, filled }) => {
    const [bank] = await client.agentic.banks.list({ limit: 1 }).toArray({ limit: 1 })
    const metadata = outcome === "rejected" ? { metadata: { sandbox_scenario: "authorization_rejected" } } : {}
    const asked = filled<Carteiro.CreateAgenticAuthorization>({
      bank_id: bank?.id ?? "",
      customer_name: "Ana Souza",
      customer_tax_id: "12345678909",
      max_amount_brl_centavos: 50_000,
      ...metadata
    })
    const { id } = await client.agentic.authorizations.create(asked)
    return byId(
      await until(
        () => client.agentic.authorizations.get(id),
        ({ status }) => status !== "pending"
      )
    )
  }
})

/** Simulates a customer's message, and turns the clock past the end of the service window. */
const windowClosing: Scenario = {
  name: "window-closing",
  causes:
    "a customer writes and the clock goes 24 hours ahead, so that the service window closes; no event tells of it",
  events: [],
  play: async (stage) => {
    const { client, customer, number, shell } = stage
    const text = { body: "Oi" }
    await client.sandbox.simulateInbound({ channel: "chatapp", from: customer, to: number, type: "text", text })
    const advance = await turnAhead(client, shell.io.signal, { by_seconds: 24 * 3600 + 1 })
    shell.note(`It is ${advance.reached} in this sandbox; a text to ${customer} is refused now.`)
    return { result: advance, ids: [] }
  }
}

/** Signup, numbers, agentic payments, language models and the breaker of an endpoint. */
export const otherScenarios: ReadonlyArray<Scenario> = [
  windowClosing,
  {
    name: "upstream_signup_session.completed",
    causes: "a customer's signup is begun and completed",
    events: ["upstream_signup_session.completed"],
    play: async ({ client, filled, shell }) => {
      const sessions = client.providerConnections.signupSessions
      const asked = filled({ return_url: "http://localhost:4020/connected", end_customer_ref: "customer-42" })
      const { id, url } = await sessions.create(asked)
      // The signup page completes the signup with the token after the # of its address.
      const token = new URLSearchParams(new URL(url ?? "").hash.slice(1)).get("token") ?? ""
      const { baseUrl } = await shell.access()
      const page = new Carteiro({ apiKey: token, baseUrl })
      await page.providerConnections.signupSessions.complete(id, { code: "any-code" })
      return byId(await sessions.get(id))
    }
  },
  {
    name: "phone_number.active",
    causes: "a number is ordered and becomes active; no event tells of it",
    events: [],
    play: async ({ client, filled }) => {
      const { id } = await client.phoneNumbers.provision(filled({ ddd: "11" }))
      return byId(
        await until(
          () => client.phoneNumbers.get(id),
          ({ status }) => status === "active"
        )
      )
    }
  },
  agentic("authorized"),
  agentic("rejected"),
  llm("provider_down"),
  llm("auth_failed"),
  llm("timeout"),
  llm("cost_cap_reached"),
  {
    name: "webhook.breaker",
    causes: "an endpoint that nothing answers at is registered, and disabled after 20 failed deliveries",
    events: [],
    play: async (stage) => {
      const { client, customer, filled, number } = stage
      const asked = filled({ url: "https://breaker.invalid/hook", subscribed_events: ["message.received"] as const })
      const { id } = await client.webhooks.endpoints.create(asked)
      const text = { body: "Oi" }
      for (let sent = 0; sent < breakerAfter; sent++)
        await client.sandbox.simulateInbound({ channel: "chatapp", from: customer, to: number, type: "text", text })
      return byId(await disabled(stage, id))
    }
  }
]
