import { type Call, jsonOf, type RouteList, recordOf } from "../kit/Routes.ts"
import type { Done } from "../kit/VendorRoute.ts"
import { type Receipt, refundable } from "./Cob.ts"
import { centavosOf } from "./CobRules.ts"
import { listQueryOf, pageOf } from "./Paging.ts"
import { lagOf, type PixApiContext, refuseWith, routeOf } from "./PixApiContext.ts"
import { problem } from "./PixApiErrors.ts"
import type { Receiver } from "./Receivers.ts"
import { devolutionView, receiptView } from "./Views.ts"

const refundWindowMs = 90 * 86_400_000

const invalid = (razao: string, propriedade = "devolucao.valor") =>
  problem(400, "PixDevolucaoInvalida", "Devolução inválida.", [{ razao, propriedade }])

/** The bank's routes about received Pix and their refunds. */
export const receiptRoutes = (context: PixApiContext): RouteList => {
  const { cobs, faults, now, workMs } = context
  const of = routeOf(context)

  const withReceipt =
    (then: (receipt: Receipt, call: Call) => Done) =>
    (call: Call, receiver: Receiver): Done => {
      const receipt = cobs.receiptOf(receiver, call.places[0] ?? "")
      const answer = problem(404, "PixNaoEncontrado", "Pix não encontrado para o e2eid informado.")
      return receipt === undefined ? refuseWith("not_found", answer) : then(receipt, call)
    }

  const show = withReceipt((receipt) => ({
    answer: { status: 200, body: receiptView(receipt) },
    outcome: "paid",
    facts: factsAbout(receipt)
  }))

  const list = (call: Call, receiver: Receiver): Done => {
    const query = listQueryOf(call.query, "PixConsultaInvalida")
    if ("body" in query) return refuseWith("request_invalid", query)
    const youngest = now() - lagOf(context)
    const txid = call.query.get("txid")
    const found = cobs
      .receiptsOf(receiver)
      .filter(
        ({ cob, paidAt }) =>
          paidAt >= query.begin && paidAt <= query.end && paidAt <= youngest && (txid === null || cob.txid === txid)
      )
    const { items, parametros } = pageOf(found, query)
    return { answer: { status: 200, body: { parametros, pix: items.map(receiptView) } }, outcome: "found" }
  }

  const refund = withReceipt((receipt, call) => {
    const id = call.places[1] ?? ""
    const facts = { ...factsAbout(receipt), refund_id: id }
    const { descricao, valor } = recordOf(jsonOf(call.body))
    const centavos = centavosOf(valor)
    if (!/^[a-zA-Z0-9]{1,35}$/.test(id)) return refuseWith("request_invalid", invalid("id", "id"), facts)
    if (centavos === undefined || centavos === 0) {
      return refuseWith("request_invalid", invalid("O campo devolucao.valor não respeita o schema."), facts)
    }
    if (receipt.devolutions.some((one) => one.id === id)) {
      const razao = "A requisição apresenta um id já utilizado por outra requisição de devolução."
      return refuseWith("external_id_conflict", invalid(razao, "id"), facts)
    }
    if (centavos > refundable(receipt)) {
      return refuseWith("amount_invalid", invalid("A devolução excederia o valor do pix originário."), facts)
    }
    if (now() - receipt.paidAt > refundWindowMs) {
      return refuseWith("already_ended", invalid("A devolução viola a janela de 90 dias."), facts)
    }
    const status = faults.hit(["refund_fails"], { operation: "refund" }) === undefined ? "DEVOLVIDO" : "NAO_REALIZADO"
    const description = typeof descricao === "string" ? descricao : null
    const devolution = cobs.giveBack(receipt, { id, centavos, description }, { workMs, status })
    return {
      answer: { status: 201, body: devolutionView(devolution) },
      outcome: "made",
      facts: { ...facts, refunded_centavos: centavos }
    }
  })

  const refundRead = withReceipt((receipt, call) => {
    const devolution = receipt.devolutions.find(({ id }) => id === call.places[1])
    const missing = problem(404, "PixDevolucaoNaoEncontrada", "Devolução não encontrada para o e2eid informado.")
    if (devolution === undefined) return refuseWith("not_found", missing, factsAbout(receipt))
    return {
      answer: { status: 200, body: devolutionView(devolution) },
      outcome: devolution.status,
      facts: factsAbout(receipt)
    }
  })

  return [
    ["GET /pix", of("receipt_list", "pix.read", list)],
    ["GET /pix/{}", of("receipt_read", "pix.read", show)],
    ["PUT /pix/{}/devolucao/{}", of("refund", "pix.write", refund)],
    ["GET /pix/{}/devolucao/{}", of("refund_read", "pix.read", refundRead)]
  ]
}

const factsAbout = ({ centavos, cob, endToEndId }: Receipt): Readonly<Record<string, unknown>> => ({
  id: endToEndId,
  external_id: cob.txid,
  amount_centavos: centavos
})
