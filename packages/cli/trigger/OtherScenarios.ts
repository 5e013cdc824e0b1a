import { Carteiro } from "@carteiro/sdk"
import { turnAhead } from "../clock/Turn.ts"
import { now, sleep } from "../shell/Clock.ts"
import { confirm } from "../shell/Confirm.ts"
import { Failure } from "../shell/Failure.ts"
import { byId, type Scenario, type Stage, until } from "./Scenario.ts"

/** Failed deliveries in a row that open an endpoint's breaker. A-WHE-24 */
const breakerAfter = 20
/** How long the breaker is waited for without `--wait`, in milliseconds. */
const opensWithinMs = 90_000

/**
 * Refuses where the sandbox's clock stands or is ahead: deliveries are then repeated for 31 hours, as in production, and
 * no breaker opens meanwhile.
 */
const needsRealTime = async ({ client }: Stage): Promise<void> => {
  const { frozen, lead_seconds } = await client.sandbox.clock.get()
  if (!frozen && lead_seconds === 0) return
  throw new Failure("the breaker opens at real time only, and this sandbox's clock stands or is ahead", {
    code: "breaker_not_open",
    next: "empty the sandbox, which takes its clock back to real time: carteiro clock reset"
  })
}

/**
 * Reads an endpoint until its breaker has opened: a sandbox gives a delivery up after its third attempt, 35 seconds
 * later. Refuses when it does not open in time.
 */
const disabled = async ({ client, shell, waitMs = opensWithinMs }: Stage, id: string) => {
  shell.note(`Waiting for ${breakerAfter} deliveries to fail three times each, most of a minute.`)
  const deadline = now() + waitMs
  for (;;) {
    const endpoint = await client.webhooks.endpoints.get(id)
    if (endpoint.status === "disabled") return endpoint
    if (now() >= deadline)
      throw new Failure(`the breaker of ${id} did not open within ${waitMs / 1000} seconds; the endpoint is deleted`, {
        code: "breaker_not_open",
        next: "wait longer with --wait 180s; a sandbox whose clock was ever turned is emptied first: carteiro clock reset"
      })
    await sleep(Math.min(1000, Math.max(0, deadline - now())), shell.io.signal)
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

const agreement = {
  refusal: "window-closing moves the sandbox's clock, and nothing was done",
  next: "agree with --yes: carteiro trigger window-closing --yes"
}

/** Simulates a customer's message, and turns the clock past the end of the service window. */
const windowClosing: Scenario = {
  name: "window-closing",
  causes:
    "a customer writes and the clock goes 24 hours ahead, so that the service window closes; no event tells of it",
  events: [],
  play: async (stage) => {
    const { client, customer, isAgreed, number, shell } = stage
    if (!isAgreed) await confirm(shell, "This moves the sandbox's only clock 24 hours ahead. Go on?", agreement)
    const text = { body: "Oi" }
    await client.sandbox.simulateInbound({ channel: "chatapp", from: customer, to: number, type: "text", text })
    const advance = await turnAhead(client, shell.io.signal, { by_seconds: 24 * 3600 + 1 })
    shell.note(`It is ${advance.reached} in this sandbox; a text to ${customer} is refused now.`)
    return { result: advance, ids: [] }
  }
}

/** Disconnects the account that an earlier signup connected: an environment has one, and a second signup is refused. */
const disconnectEarlier = async ({ client, isAgreed, shell }: Stage): Promise<void> => {
  const live = (
    await client.providerConnections.list({ provider: "upstream", channel: "chatapp" }).toArray({ limit: 100 })
  ).filter(({ status }) => status !== "disconnected")
  for (const { id } of live) {
    if (!isAgreed)
      await confirm(shell, `This disconnects ${id}, the account that the sandbox has connected. Go on?`, {
        refusal: `the sandbox has an account already, ${id}, and nothing was done`,
        next: "agree to disconnect it with --yes: carteiro trigger upstream_signup_session.completed --yes"
      })
    await client.providerConnections.disconnect(id)
    shell.note(`Disconnected ${id}: an environment has one account.`)
  }
}

/** Signup, numbers, agentic payments, language models and the breaker of an endpoint. */
export const otherScenarios: ReadonlyArray<Scenario> = [
  windowClosing,
  {
    name: "upstream_signup_session.completed",
    causes: "a customer's signup is begun and completed; an account of an earlier one is disconnected first",
    events: ["upstream_signup_session.completed"],
    play: async (stage) => {
      const { client, filled, shell } = stage
      await disconnectEarlier(stage)
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
    causes: "an endpoint that nothing answers at is registered, disabled after 20 failed deliveries, shown and deleted",
    events: [],
    play: async (stage) => {
      const { client, customer, filled, number } = stage
      await needsRealTime(stage)
      const asked = filled({ url: "https://breaker.invalid/hook", subscribed_events: ["message.received"] as const })
      const { id } = await client.webhooks.endpoints.create(asked)
      const text = { body: "Oi" }
      try {
        for (let sent = 0; sent < breakerAfter; sent++)
          await client.sandbox.simulateInbound({ channel: "chatapp", from: customer, to: number, type: "text", text })
        return byId(await disabled(stage, id))
      } finally {
        await client.webhooks.endpoints.delete(id)
      }
    }
  }
]
