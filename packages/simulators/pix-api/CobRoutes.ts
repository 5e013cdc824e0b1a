import { type Call, jsonOf, type RouteList, recordOf } from "../kit/Routes.ts"
import type { Done, NamedMake } from "../kit/VendorRoute.ts"
import type { Cob } from "./Cob.ts"
import { checkedRequest, freeLocation, invalidCob, listCobs } from "./CobChecks.ts"
import { type CobRequest, centavosOf, isTxid } from "./CobRules.ts"
import { flawsOf, type PixApiContext, refuse, refuseWith, routeOf } from "./PixApiContext.ts"
import { problem } from "./PixApiErrors.ts"
import type { Receiver } from "./Receivers.ts"
import { cobView } from "./Views.ts"

/** The bank's routes about immediate charges. */
export const cobRoutes = (context: PixApiContext): RouteList => {
  const { cobs, faults, landings } = context
  const of = routeOf(context)

  const shown = (cob: Cob, status: number, outcome: string, facts: Done["facts"] = factsAbout(cob)): Done => ({
    answer: { status, body: cobView(cob, flawsOf(context)) },
    outcome,
    facts
  })

  const create = async (call: Call, receiver: Receiver): Promise<Done> => {
    const txid = call.places[0] ?? ""
    const facts = { ...factsOf(call), account: receiver.clientId.slice(-4) }
    if (!isTxid(txid)) {
      const violation = { razao: "O txid não respeita o schema.", propriedade: "txid", valor: txid }
      return refuseWith("request_invalid", invalidCob([violation]), facts)
    }
    const before = cobs.of(receiver, txid)
    if (before !== undefined && before.status !== "ATIVA") return refuse("already_ended", undefined, facts)
    const request = checkedRequest(context, call, receiver, undefined)
    if ("status" in request) return refuseWith("request_invalid", request, facts)
    if (before !== undefined) return repeat(before, request, facts)
    const location = freeLocation(context, receiver, request, txid)
    if ("razao" in location) return refuseWith("request_invalid", invalidCob([location]), facts)
    const cob = cobs.make(receiver, txid, request, location)
    landings.landed(txid)
    decideItself(cob)
    if (faults.hit(["early_webhook"], { operation: "checkout" }) !== undefined) await cobs.pay(cob)
    return shown(cob, 201, "made", { ...facts, id: txid })
  }

  /** A repeated request shows the charge that is there; another request under its txid revises it. */
  const repeat = (cob: Cob, request: CobRequest, facts: Done["facts"]): Done => {
    const written = (one: CobRequest) => JSON.stringify({ ...one, locationId: null })
    if (written(cob.request) === written(request)) return shown(cob, 201, "repeated", { ...facts, id: cob.txid })
    cobs.revise(cob, request)
    return shown(cob, 201, "revised", { ...facts, id: cob.txid })
  }

  const decideItself = (cob: Cob) => {
    const paid = faults.hit(["paid_after"], { operation: "checkout" })
    if (paid !== undefined) cobs.after(paid.value ?? 0, () => void cobs.pay(cob))
    const expired = faults.hit(["expired_after"], { operation: "checkout" })
    if (expired !== undefined) cobs.after(expired.value ?? 0, () => cobs.remove(cob, "REMOVIDA_PELO_PSP"))
  }

  const withCob =
    (then: (cob: Cob, call: Call, receiver: Receiver) => Done) =>
    (call: Call, receiver: Receiver): Done => {
      const txid = call.places[0] ?? ""
      const cob = cobs.of(receiver, txid)
      const answer = problem(404, "CobNaoEncontrado", "Cobrança não encontrada para o txid informado.")
      return cob === undefined
        ? refuseWith("not_found", answer, { id: txid, external_id: txid })
        : then(cob, call, receiver)
    }

  const show = withCob((cob, call) => {
    const text = call.query.get("revisao")
    const revision = Number(text ?? cob.revision)
    if (cob.revisions[revision] === undefined) {
      const razao = "O parâmetro revisao corresponde a uma revisão inexistente para a cobrança."
      const answer = problem(400, "CobConsultaInvalida", "Consulta inválida.", [{ razao, propriedade: "revisao" }])
      return refuseWith("request_invalid", answer, factsAbout(cob))
    }
    return {
      answer: { status: 200, body: cobView(cob, flawsOf(context), revision) },
      outcome: cob.status,
      facts: factsAbout(cob)
    }
  })

  const revise = withCob((cob, call, receiver) => {
    const { status, ...changes } = recordOf(jsonOf(call.body))
    const facts = factsAbout(cob)
    if (cob.status !== "ATIVA") return refuse("already_ended", undefined, facts)
    if (status !== undefined) {
      const isRemoval = status === "REMOVIDA_PELO_USUARIO_RECEBEDOR" && Object.keys(changes).length === 0
      const razao = "O campo cob.status não respeita o schema, ou acompanha outras alterações."
      if (!isRemoval) return refuseWith("request_invalid", invalidCob([{ razao, propriedade: "cob.status" }]), facts)
      if (faults.hit(["stuck_cancel"], { operation: "checkout_cancel" }) === undefined) cobs.remove(cob, status)
      return shown(cob, 200, "cancelling", facts)
    }
    const request = checkedRequest(context, call, receiver, cob.request)
    if ("status" in request) return refuseWith("request_invalid", request, facts)
    if (request.locationId !== cob.request.locationId) {
      const location = freeLocation(context, receiver, request, cob.txid)
      if ("razao" in location) return refuseWith("request_invalid", invalidCob([location]), facts)
      cobs.moveTo(cob, location)
    }
    cobs.revise(cob, request)
    return shown(cob, 200, "revised", facts)
  })

  const named: NamedMake<Receiver> = {
    nameOf: (call, { clientId }) => `${clientId}\n${call.places[0]}`,
    factsOf
  }
  return [
    ["PUT /cob/{}", of("checkout", "cob.write", create, named)],
    ["GET /cob/{}", of("checkout_read", "cob.read", show)],
    ["PATCH /cob/{}", of("checkout_cancel", "cob.write", revise)],
    ["GET /cob", of("checkout_lookup", "cob.read", listCobs(context))]
  ]
}

const factsOf = (call: Call): Readonly<Record<string, unknown>> => {
  const body = recordOf(jsonOf(call.body))
  const txid = call.places[0] ?? ""
  return {
    ...body,
    external_id: txid,
    amount_centavos: centavosOf(recordOf(body.valor).original) ?? null,
    mode: "transparent_pix",
    idempotency_key: txid
  }
}

const factsAbout = ({ request, txid }: Cob): Readonly<Record<string, unknown>> => ({
  id: txid,
  external_id: txid,
  amount_centavos: request.centavos
})
