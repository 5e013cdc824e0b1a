import { type Call, isWebAddress, jsonOf, type RouteList, recordOf } from "../kit/Routes.ts"
import type { Done } from "../kit/VendorRoute.ts"
import { listQueryOf, pageOf } from "./Paging.ts"
import { type PixApiContext, refuseWith, routeOf } from "./PixApiContext.ts"
import { problem } from "./PixApiErrors.ts"
import type { Receiver } from "./Receivers.ts"
import { webhookView } from "./Views.ts"

const empty = Buffer.alloc(0)

const invalid = (razao: string, propriedade: string) =>
  problem(400, "WebhookOperacaoInvalida", "Webhook inválido.", [{ razao, propriedade }])

/** The bank's routes about where receipts of a Pix key are told. */
export const webhookRoutes = (context: PixApiContext): RouteList => {
  const { now, receivers } = context
  const of = routeOf(context)

  const register = (call: Call, receiver: Receiver): Done => {
    const key = call.places[0] ?? ""
    const { webhookUrl } = recordOf(jsonOf(call.body))
    if (key === "" || key.length > 77 || !receivers.owns(receiver, key)) {
      const razao = "O parâmetro chave não corresponde a uma chave DICT pertencente a este usuário recebedor."
      return refuseWith("request_invalid", invalid(razao, "chave"), { key })
    }
    if (!isWebAddress(webhookUrl)) {
      const razao = "Campo webhook.webhookUrl não respeita o schema."
      return refuseWith("request_invalid", invalid(razao, "webhook.webhookUrl"), { key })
    }
    receiver.webhooks.set(key, { webhookUrl, createdAt: now() })
    return { answer: { status: 200, body: empty }, outcome: "made", facts: { key, url: webhookUrl } }
  }

  const withWebhook =
    (then: (receiver: Receiver, key: string) => Done) =>
    (call: Call, receiver: Receiver): Done => {
      const key = call.places[0] ?? ""
      const missing = problem(404, "WebhookNaoEncontrado", "O webhook denotado por chave não está estabelecido.")
      return receiver.webhooks.has(key) ? then(receiver, key) : refuseWith("not_found", missing, { key })
    }

  const show = withWebhook((receiver, key) => {
    const webhook = receiver.webhooks.get(key)
    const body = webhook === undefined ? {} : webhookView(receiver, webhook)
    return { answer: { status: 200, body }, outcome: "found", facts: { key } }
  })

  const remove = withWebhook((receiver, key) => {
    receiver.webhooks.delete(key)
    return { answer: { status: 204, body: empty }, outcome: "removed", facts: { key } }
  })

  const list = (call: Call, receiver: Receiver): Done => {
    // Both ends of the time are optional here, unlike in the other lists.
    const query = new URLSearchParams(call.query)
    if (!query.has("inicio")) query.set("inicio", new Date(0).toISOString())
    if (!query.has("fim")) query.set("fim", new Date(now()).toISOString())
    const wanted = listQueryOf(query, "WebhookConsultaInvalida")
    if ("body" in wanted) return refuseWith("request_invalid", wanted)
    const found = [...receiver.webhooks.values()].filter(
      ({ createdAt }) => createdAt >= wanted.begin && createdAt <= wanted.end
    )
    const { items, parametros } = pageOf(found, wanted)
    const webhooks = items.map((webhook) => webhookView(receiver, webhook))
    return { answer: { status: 200, body: { parametros, webhooks } }, outcome: "found" }
  }

  return [
    ["GET /webhook", of("webhook_list", "webhook.read", list)],
    ["PUT /webhook/{}", of("webhook_register", "webhook.write", register)],
    ["GET /webhook/{}", of("webhook_read", "webhook.read", show)],
    ["DELETE /webhook/{}", of("webhook_remove", "webhook.write", remove)]
  ]
}
