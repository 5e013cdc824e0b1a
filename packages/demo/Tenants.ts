import { Carteiro } from "@carteiro/sdk"
import type { DevFile } from "./Nodes.ts"
import type { Receiver } from "./Receiver.ts"

/** A project whose sandbox sends messages and receives webhooks. */
export interface Tenant {
  readonly client: Carteiro
  readonly phoneNumberId: string
  readonly customer: string
  readonly endpointId: string
}

/** Tries of one call: a node that is killed or frozen costs some of them, and none of the messages. */
const patience = { maxRetries: 12, timeoutMs: 10_000 }

/** Makes so many projects with a sandbox key, an open conversation and a webhook endpoint each. */
export const makeTenants = async (dev: DevFile, receiver: Receiver, count: number): Promise<ReadonlyArray<Tenant>> => {
  const owner = new Carteiro({ apiKey: dev.sandbox.api_key, baseUrl: dev.base_url, ...patience })
  const tenants: Array<Tenant> = []
  for (let number = 1; number <= count; number++) {
    const name = `tenant-${number}`
    const project = await owner.projects.create({ name: `Demo ${number}` })
    const { secret } = await owner.apiKeys.create({
      name,
      environment: "sandbox",
      project_id: project.id,
      scopes: ["messages:write", "messages:read", "sandbox:write", "webhooks:write", "webhooks:read"]
    })
    const client = new Carteiro({ apiKey: secret, baseUrl: dev.base_url, ...patience })
    const phoneNumberId = (await client.sandbox.quickstart()).sender.phone_number_id ?? ""
    const customer = `+55119${String(10_000_000 + number)}`
    await client.sandbox.simulateInbound({
      channel: "chatapp",
      from: customer,
      to: phoneNumberId,
      type: "text",
      text: { body: "Oi" }
    })
    const endpoint = await client.webhooks.endpoints.create({
      url: `${receiver.origin}/${name}`,
      subscribed_events: ["message.delivered"]
    })
    receiver.trust(name, endpoint.signing_secret)
    tenants.push({ client, phoneNumberId, customer, endpointId: endpoint.id })
  }
  return tenants
}

/** Enables the endpoint of each tenant and has every event delivered that it missed since `from` (RFC 3339). */
export const recoverEndpoints = async (tenants: ReadonlyArray<Tenant>, from: string): Promise<void> => {
  for (const { client, endpointId } of tenants) {
    await client.webhooks.endpoints.update(endpointId, { status: "active" })
    await client.webhooks.endpoints.recover(endpointId, { from })
  }
}
