import type { PixCheckout, PixCheckoutOrder } from "@carteiro/provider/payments/PixProvider.ts"
import { longestLocation, pixCode } from "@carteiro/spellings/PixCode.ts"
import { centavosOfReais, reaisText } from "@carteiro/vendor-http/Reais.ts"
import { memberOf } from "@carteiro/vendor-http/VendorAnswers.ts"
import { instantOf, textOf } from "@carteiro/vendor-http/VendorJson.ts"
import { idOfTxid } from "./Txid.ts"

/** The longest text that a payer's bank shows, in characters. */
const mostDescription = 140

/** Returns the request for an immediate charge. A payer is named by number and name together, or not at all. */
export const cobRequest = (order: PixCheckoutOrder, pixKey: string) => {
  const { amount_centavos, customer, description, expires_in_seconds } = order
  const shown = description === null ? undefined : [...description].slice(0, mostDescription).join("")
  const taxId = customer?.tax_id ?? null
  const nome = customer?.name ?? null
  return {
    calendario: { expiracao: expires_in_seconds },
    valor: { original: reaisText(amount_centavos) },
    chave: pixKey,
    ...(taxId === null || nome === null
      ? undefined
      : {
          devedor: taxId.length === 11 ? { cpf: taxId, nome: shortened(nome) } : { cnpj: taxId, nome: shortened(nome) }
        }),
    ...(shown === undefined ? undefined : { solicitacaoPagador: shown })
  }
}

/** The request that removes a charge. */
export const removal = { status: "REMOVIDA_PELO_USUARIO_RECEBEDOR" } as const

const mostName = 200
const shortened = (name: string): string => [...name].slice(0, mostName).join("")

/** How long after its end a charge may still be settled, in milliseconds. */
const settlesMs = 60_000

/**
 * Reads an immediate charge as of an instant; undefined for any other value, for a charge of another's, and for an amount
 * that cannot be compared. An active charge whose time is over is still called active by the standard.
 */
export const readCob = (json: unknown, now: number): PixCheckout | undefined => {
  const txid = textOf(json, "txid")
  const external_id = idOfTxid(txid)
  const amount_centavos = centavosOfReais(memberOf(memberOf(json, "valor"), "original"))
  const calendar = memberOf(json, "calendario")
  const created = instantOf(calendar, "criacao")
  const seconds = memberOf(calendar, "expiracao")
  const expires_at = created === null || typeof seconds !== "number" ? null : created + seconds * 1000
  const isOver = expires_at !== null && now >= expires_at + settlesMs
  const status = statusOf(memberOf(json, "status"), isOver)
  if (txid === null || external_id === undefined || status === undefined || amount_centavos === undefined) {
    return undefined
  }
  const location = textOf(json, "location") ?? textOf(memberOf(json, "loc"), "location")
  return {
    _tag: "Charge",
    id: txid,
    external_id,
    amount_centavos,
    status,
    payment_url: null,
    pix_copy_paste: textOf(json, "pixCopiaECola") ?? codeOf(location),
    pix_qr_code_base64: null,
    expires_at,
    ...(status === "failed" ? { failure_code: "REMOVIDA_PELO_PSP" } : undefined)
  }
}

/**
 * Returns the code that leads to the charge at a location, for an institution that leaves it out; null where none can. The
 * bank shows name, place and amount from the charge itself, so the code has stand-ins for them.
 */
const codeOf = (location: string | null): string | null =>
  location === null || location.length > longestLocation ? null : pixCode({ location, name: "PIX", city: "BRASILIA" })

/** Returns the status in the contract's words: an institution that removes a charge before its end has failed it. */
const statusOf = (status: unknown, isOver: boolean): PixCheckout["status"] | undefined => {
  switch (status) {
    case "ATIVA":
      return isOver ? "expired" : "pending"
    case "CONCLUIDA":
      return "paid"
    case "REMOVIDA_PELO_USUARIO_RECEBEDOR":
      return "cancelled"
    case "REMOVIDA_PELO_PSP":
      return isOver ? "expired" : "failed"
    default:
      return undefined
  }
}
