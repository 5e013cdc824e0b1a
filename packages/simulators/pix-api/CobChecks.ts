import { type Call, jsonOf, recordOf, type SimulatedAnswer } from "../kit/Routes.ts"
import type { Done } from "../kit/VendorRoute.ts"
import type { Cob } from "./Cob.ts"
import { type CobRequest, cobRequestOf } from "./CobRules.ts"
import type { Location } from "./Locations.ts"
import { listQueryOf, pageOf } from "./Paging.ts"
import { flawsOf, lagOf, type PixApiContext, refuseWith } from "./PixApiContext.ts"
import { problem, type Violation } from "./PixApiErrors.ts"
import type { Receiver } from "./Receivers.ts"
import { cobView } from "./Views.ts"

/** Returns the refusal of a charge that breaks rules of the description. */
export const invalidCob = (violations: ReadonlyArray<Violation>): SimulatedAnswer =>
  problem(400, "CobOperacaoInvalida", "Cobrança inválida.", violations)

/** Returns the location of a new charge, or the rule that the request breaks. */
export const freeLocation = (
  { locations }: PixApiContext,
  receiver: Receiver,
  { locationId }: CobRequest,
  txid: string
): Location | Violation => {
  if (locationId === null) return locations.make(receiver, "cob")
  const location = locations.of(receiver, locationId)
  const refusal = (razao: string): Violation => ({ razao, propriedade: "cob.loc.id", valor: String(locationId) })
  if (location === undefined) return refusal("O location referenciado por loc.id inexiste.")
  if (location.tipoCob !== "cob") return refusal("O location referenciado por cob.loc.id apresenta tipo cobv.")
  const isFree = location.txid === null || location.txid === txid
  return isFree ? location : refusal("O location referenciado por loc.id já está sendo utilizado por outra cobrança.")
}

/** Returns the checked request of a call, or its refusal. */
export const checkedRequest = (
  { receivers }: PixApiContext,
  call: Call,
  receiver: Receiver,
  before: CobRequest | undefined
): CobRequest | SimulatedAnswer => {
  const request = cobRequestOf(recordOf(jsonOf(call.body)), before)
  if (!("centavos" in request)) return invalidCob(request)
  if (receivers.owns(receiver, request.chave)) return request
  const razao = "O campo cob.chave corresponde a uma conta que não pertence a este usuário recebedor."
  return invalidCob([{ razao, propriedade: "cob.chave", valor: request.chave }])
}

/** Lists charges by the time at which they were made, status and debtor. */
export const listCobs =
  (context: PixApiContext) =>
  (call: Call, receiver: Receiver): Done => {
    const query = listQueryOf(call.query, "CobConsultaInvalida")
    if ("body" in query) return refuseWith("request_invalid", query)
    const youngest = context.now() - lagOf(context)
    const listed = context.cobs
      .ofReceiver(receiver)
      .filter(
        (cob) =>
          cob.createdAt >= query.begin &&
          cob.createdAt <= Math.min(query.end, youngest) &&
          (query.status === null || cob.status === query.status) &&
          isOf(cob, "cpf", query.cpf) &&
          isOf(cob, "cnpj", query.cnpj)
      )
    const { items, parametros } = pageOf(listed, query)
    const body = { parametros, cobs: items.map((cob) => cobView(cob, flawsOf(context))) }
    return { answer: { status: 200, body }, outcome: listed.length === 0 ? "none" : "found" }
  }

const isOf = ({ request }: Cob, member: "cpf" | "cnpj", id: string | null): boolean =>
  id === null || recordOf(request.devedor)[member] === id
