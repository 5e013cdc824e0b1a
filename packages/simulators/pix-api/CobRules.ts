import { recordOf } from "../kit/Routes.ts"
import type { Violation } from "./PixApiErrors.ts"

/** The parts of a charge that a request may say. */
export interface CobRequest {
  /** Seconds. */
  readonly expiracao: number
  readonly devedor: object | null
  readonly centavos: number
  readonly chave: string
  readonly solicitacaoPagador: string | null
  readonly infoAdicionais: ReadonlyArray<{ readonly nome: string; readonly valor: string }>
  readonly locationId: number | null
}

const dayS = 86_400

/** True for a txid of a charge. */
export const isTxid = (text: string): boolean => /^[a-zA-Z0-9]{26,35}$/.test(text)

/** Returns an amount such as `10.00` in centavos; undefined for another text. */
export const centavosOf = (value: unknown): number | undefined =>
  typeof value === "string" && /^\d{1,10}\.\d{2}$/.test(value) ? Number(value.replace(".", "")) : undefined

/** Returns centavos as the description writes amounts. */
export const amountText = (centavos: number): string =>
  `${Math.floor(centavos / 100)}.${String(centavos % 100).padStart(2, "0")}`

const broken = (propriedade: string, razao: string, valor?: unknown): Violation => ({
  razao,
  propriedade,
  ...(valor === undefined ? undefined : { valor: typeof valor === "string" ? valor : JSON.stringify(valor) })
})

/**
 * Returns the charge that a body describes, with the parts of `before` where the body has none, or the rules that it
 * breaks.
 */
export const cobRequestOf = (
  body: Readonly<Record<string, unknown>>,
  before: CobRequest | undefined
): CobRequest | ReadonlyArray<Violation> => {
  const violations: Array<Violation> = []
  const check = (isKept: boolean, name: string, why: string, value?: unknown) => {
    if (!isKept) violations.push(broken(`cob.${name}`, why, value))
  }
  const { calendario, chave, devedor, infoAdicionais, loc, solicitacaoPagador, valor } = body
  const isNew = before === undefined
  check(!isNew || isObject(calendario), "calendario", "O objeto cob.calendario é obrigatório.")
  check(!isNew || valor !== undefined, "valor", "O objeto cob.valor é obrigatório.")
  check(!isNew || chave !== undefined, "chave", "O campo cob.chave é obrigatório.")
  const expiracao = recordOf(calendario).expiracao ?? before?.expiracao ?? dayS
  const isLifetime = typeof expiracao === "number" && Number.isSafeInteger(expiracao) && expiracao > 0
  check(isLifetime, "calendario.expiracao", "O campo cob.calendario.expiracao é igual ou menor que zero.", expiracao)
  const original = recordOf(valor).original
  const centavos = original === undefined && before !== undefined ? before.centavos : centavosOf(original)
  const isRead = centavos !== undefined
  check(isRead, "valor.original", "O campo cob.valor.original não respeita o schema.", original)
  check(centavos !== 0, "valor.original", "O campo cob.valor.original é zero.", original)
  const key = chave ?? before?.chave
  const isKey = typeof key === "string" && key !== "" && key.length <= 77
  check(isKey, "chave", "O campo cob.chave não respeita o schema.", key)
  const isPerson = devedor === undefined || isDebtor(recordOf(devedor))
  check(isPerson, "devedor", "O objeto cob.devedor não respeita o schema.", devedor)
  const isMessage =
    solicitacaoPagador === undefined || (typeof solicitacaoPagador === "string" && solicitacaoPagador.length <= 140)
  check(isMessage, "solicitacaoPagador", "O campo solicitacaoPagador não respeita o schema.", solicitacaoPagador)
  const isInformation = infoAdicionais === undefined || isList(infoAdicionais)
  check(isInformation, "infoAdicionais", "O objeto infoAdicionais não respeita o schema.", infoAdicionais)
  const { id } = recordOf(loc)
  check(loc === undefined || typeof id === "number", "loc.id", "O campo loc.id não respeita o schema.", id)
  if (violations.length > 0 || !isLifetime || centavos === undefined || !isKey) return violations
  return {
    expiracao,
    devedor: devedor === undefined ? (before?.devedor ?? null) : recordOf(devedor),
    centavos,
    chave: key,
    solicitacaoPagador:
      typeof solicitacaoPagador === "string" ? solicitacaoPagador : (before?.solicitacaoPagador ?? null),
    infoAdicionais: Array.isArray(infoAdicionais) ? infoAdicionais : (before?.infoAdicionais ?? []),
    locationId: typeof id === "number" ? id : (before?.locationId ?? null)
  }
}

const isObject = (value: unknown): boolean => typeof value === "object" && value !== null && !Array.isArray(value)

const isDebtor = ({ cnpj, cpf, nome }: Readonly<Record<string, unknown>>): boolean => {
  const isPerson = typeof cpf === "string" && /^\d{11}$/.test(cpf)
  const isCompany = typeof cnpj === "string" && /^[0-9A-Z]{14}$/.test(cnpj)
  const isNamed = typeof nome === "string" && nome !== "" && nome.length <= 200
  return isNamed && (isPerson ? cnpj === undefined : isCompany && cpf === undefined)
}

const isList = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.length <= 50 &&
  value.map(recordOf).every(({ nome, valor }) => isText(nome, 50) && isText(valor, 200))

const isText = (value: unknown, most: number): boolean => typeof value === "string" && value.length <= most
