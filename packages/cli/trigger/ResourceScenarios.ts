import type { Carteiro } from "@carteiro/sdk"
import { byId, type Scenario, type Stage, until } from "./Scenario.ts"

/** Creates a template with an unused name and the person's fields. */
const newTemplate = ({ client, filled }: Stage): Promise<Carteiro.Template> =>
  client.templates.create(
    filled<Carteiro.CreateTemplate>({
      name: `trigger_${globalThis.crypto.randomUUID().slice(0, 8)}`,
      language: "pt_BR",
      category: "utility",
      parameter_format: "POSITIONAL",
      components: [{ type: "BODY", text: "Olá {{1}}, seu pedido chegou.", example: { body_text: ["Ana"] } }]
    })
  )

const reviewed = (status: "rejected" | "paused" | "disabled"): Scenario => ({
  name: `template.${status}`,
  causes: `a template is made, and ${status} by the platform`,
  events: [`template.${status}`],
  play: async (stage) => {
    const { id } = await newTemplate(stage)
    const reason = status === "rejected" ? { rejection_reason: "The text is too general." } : {}
    return byId(await stage.client.sandbox.templates.setStatus(id, { status, ...reason }))
  }
})

const linkEvents = ["payment.created", "payment.approval_available", "payment.link_generated"]

/** Creates a payment with its link. */
const linked = async ({ client, filled }: Stage): Promise<Carteiro.PaymentRequest> => {
  const { id } = await client.payments.create(
    filled<Carteiro.CreatePayment>({ amount_brl_centavos: 1990, description: "Pedido 42", customer_name: "Ana Souza" })
  )
  return until(
    () => client.payments.get(id),
    ({ status }) => status !== "link_pending"
  )
}

const paymentEnds = (status: "paid" | "failed" | "expired" | "cancelled", causes: string): Scenario => ({
  name: `payment.${status}`,
  causes,
  events: [...linkEvents, `payment.${status}`],
  play: async (stage) => {
    const { id } = await linked(stage)
    return byId(await stage.client.sandbox.payments.setStatus(id, { status }))
  }
})

/** Creates an active group, by default without the person's fields. */
export const activeGroup = async ({ client, number }: Stage, filled = <Body>(body: Body): Body => body) => {
  const { id } = await client.groups.create(filled({ phone_number_id: number, subject: "Clube de maio" }))
  return until(
    () => client.groups.get(id),
    ({ status }) => status !== "pending"
  )
}

const ofGroup = (
  name: string,
  causes: string,
  act: (stage: Stage, group: Carteiro.Group) => Promise<Carteiro.Group>
): Scenario => ({
  name,
  causes,
  events: [name],
  play: async (stage) => byId(await act(stage, await activeGroup(stage, stage.filled)))
})

/** Scenarios of templates, payments and groups. M-TPL-12, gaps-3 B */
export const resourceScenarios: ReadonlyArray<Scenario> = [
  {
    name: "template.approved",
    causes: "a template is made, submitted and approved",
    events: ["template.approved"],
    play: async (stage) => byId(await stage.client.templates.submit((await newTemplate(stage)).id))
  },
  {
    name: "template.category_updated",
    causes: "a template is made, approved, and moved to marketing by the platform",
    events: ["template.approved", "template.category_updated"],
    play: async ({ client, filled, ...stage }) => {
      const { id } = await client.templates.submit((await newTemplate({ client, filled, ...stage })).id)
      await until(
        () => client.templates.get(id),
        ({ status }) => status === "approved"
      )
      return byId(await client.sandbox.templates.setStatus(id, { category: "marketing" }))
    }
  },
  reviewed("rejected"),
  reviewed("paused"),
  reviewed("disabled"),
  {
    name: "payment.created",
    causes: "a payment is made, and its link a moment later",
    events: linkEvents,
    play: async (stage) => byId(await linked(stage))
  },
  paymentEnds("paid", "a payment is made and paid"),
  paymentEnds("failed", "a payment is made, and paying fails"),
  paymentEnds("expired", "a payment is made and expires"),
  paymentEnds("cancelled", "a payment is made and cancelled"),
  {
    name: "payment.approved",
    causes: "a payment is made and its approval asked for and given; no event tells of it",
    events: [],
    play: async (stage) => {
      const { client } = stage
      const { id } = await linked(stage)
      await client.payments.requestApproval(id, { metadata: { sandbox_scenario: "approved" } })
      return byId(
        await until(
          () => client.payments.get(id),
          ({ status }) => status === "approved"
        )
      )
    }
  },
  ofGroup("group.created", "a group is made", (_, group) => Promise.resolve(group)),
  ofGroup("group.deleted", "a group is made and deleted", ({ client }, { id }) => client.groups.delete(id)),
  ofGroup("group.invite_link_reset", "a group is made, and its invite link replaced", ({ client }, { id }) =>
    client.groups.resetInviteLink(id)
  ),
  ofGroup("group.participant_joined", "a group is made, and a customer joins", ({ client, customer }, { id }) =>
    client.sandbox.groups.addParticipant(id, { action: "join", chat_id: customer })
  ),
  ofGroup("group.participant_removed", "a group is made, a customer joins and leaves", async (stage, { id }) => {
    const { client, customer } = stage
    await client.sandbox.groups.addParticipant(id, { action: "join", chat_id: customer })
    return client.sandbox.groups.addParticipant(id, { action: "remove", chat_id: customer })
  })
]
