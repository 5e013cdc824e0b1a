import { type Cob, codeOf, type Devolution, type Receipt } from "./Cob.ts"
import { amountText, type CobRequest } from "./CobRules.ts"
import type { Location } from "./Locations.ts"
import type { Receiver, RegisteredWebhook } from "./Receivers.ts"

const instant = (millis: number): string => new Date(millis).toISOString()

/** Flaws of a charge in an answer. */
export interface CobFlaws {
  readonly wrongAmount: boolean
  readonly unreadableAmount: boolean
  readonly wrongTxid: boolean
}

/** Returns a charge as the description's `CobGerada`, or `CobCompleta` once it is paid; `request` of an older revision. */
export const cobView = (cob: Cob, flaws: CobFlaws, revision = cob.revision): object => {
  const request: CobRequest = cob.revisions[revision] ?? cob.request
  const { chave, devedor, expiracao, infoAdicionais, solicitacaoPagador } = request
  const centavos = request.centavos + (flaws.wrongAmount ? 1 : 0)
  return {
    calendario: { criacao: instant(cob.createdAt), expiracao },
    txid: flaws.wrongTxid ? [...cob.txid].reverse().join("") : cob.txid,
    revisao: revision,
    ...(cob.location === null
      ? undefined
      : { loc: { ...locationView(cob.location), txid: cob.txid }, location: addressOf(cob.location) }),
    status: cob.status,
    ...(devedor === null ? undefined : { devedor }),
    valor: { original: flaws.unreadableAmount ? `R$ ${amountText(centavos)}` : amountText(centavos) },
    chave,
    ...(solicitacaoPagador === null ? undefined : { solicitacaoPagador }),
    ...(infoAdicionais.length === 0 ? undefined : { infoAdicionais }),
    ...(cob.location === null ? undefined : { pixCopiaECola: codeOf(cob) }),
    ...(cob.receipt === null ? undefined : { pix: [receiptView(cob.receipt)] })
  }
}

/** Returns a location as the description's `PayloadLocation`, with its charge once it has one. */
export const locationView = (location: Location): object => ({
  id: location.id,
  location: addressOf(location),
  tipoCob: location.tipoCob,
  criacao: instant(location.createdAt),
  ...(location.txid === null ? undefined : { txid: location.txid })
})

const addressOf = ({ token }: Location): string => `pix.example/${token}`

/** Returns a received Pix as the description's `Pix`. */
export const receiptView = ({ centavos, cob, devolutions, endToEndId, paidAt }: Receipt): object => ({
  endToEndId,
  txid: cob.txid,
  valor: amountText(centavos),
  componentesValor: { original: { valor: amountText(centavos) } },
  chave: cob.request.chave,
  horario: instant(paidAt),
  ...(devolutions.length === 0 ? undefined : { devolucoes: devolutions.map(devolutionView) })
})

/** Returns a refund as the description's `Devolucao`. */
export const devolutionView = (devolution: Devolution): object => ({
  id: devolution.id,
  rtrId: devolution.rtrId,
  valor: amountText(devolution.centavos),
  natureza: "ORIGINAL",
  ...(devolution.description === null ? undefined : { descricao: devolution.description }),
  horario: {
    solicitacao: instant(devolution.requestedAt),
    ...(devolution.settledAt === null ? undefined : { liquidacao: instant(devolution.settledAt) })
  },
  status: devolution.status,
  ...(devolution.status === "NAO_REALIZADO" ? { motivo: "simulated" } : undefined)
})

/** Returns a webhook as the description's `WebhookCompleto`. */
export const webhookView = ({ cnpj }: Receiver, { createdAt, webhookUrl }: RegisteredWebhook): object => ({
  webhookUrl,
  cnpj,
  criacao: instant(createdAt)
})
