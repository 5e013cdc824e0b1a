import type { SimulatedAnswer } from "../kit/Routes.ts"

/** One rule of the description that a request breaks. */
export interface Violation {
  readonly razao: string
  readonly propriedade: string
  readonly valor?: string
}

/** The refusals by the simulators' common names: HTTP status, type of the description, sentence. */
const refusals = {
  credentials_invalid: [401, null, "Credencial inválida ou expirada."],
  not_found: [404, "NaoEncontrado", "Entidade não encontrada."],
  already_ended: [400, "CobOperacaoInvalida", "A cobrança não está ATIVA, e a presente requisição busca alterá-la."],
  external_id_conflict: [409, "CobOperacaoInvalida", "A cobrança já existe."],
  idempotency_key_in_use: [409, "CobOperacaoInvalida", "Há uma requisição em andamento para este txid."],
  amount_invalid: [400, "CobOperacaoInvalida", "O campo cob.valor.original é zero."],
  request_invalid: [400, "RequisicaoInvalida", "Requisição inválida."],
  charge_rejected: [
    403,
    "AcessoNegado",
    "Requisição de participante autenticado que viola alguma regra de autorização."
  ],
  rate_limited: [429, null, "Muitas requisições."],
  unavailable: [503, "ServicoIndisponivel", "Serviço não está disponível no momento."]
} as const

/** A refusal's name in faults and log. */
export type PixApiRefusal = keyof typeof refusals

export const pixApiRefusals = Object.keys(refusals) as ReadonlyArray<PixApiRefusal>

/** Returns an error in the form of RFC 7807; no type of the description stands behind `null`. */
export const problem = (
  status: number,
  type: string | null,
  title: string,
  violations: ReadonlyArray<Violation> = []
): SimulatedAnswer => ({
  status,
  body: Buffer.from(
    JSON.stringify({
      type: type === null ? "about:blank" : `https://pix.bcb.gov.br/api/v2/error/${type}`,
      title,
      status,
      ...(violations.length === 0 ? undefined : { violacoes: violations })
    })
  ),
  headers: { "content-type": "application/problem+json" }
})

/** Returns a refusal; one for too many calls has the seconds to wait. */
export const refusalOf = (name: PixApiRefusal, detail?: string, afterSeconds = 1): SimulatedAnswer => {
  const [status, type, title] = refusals[name]
  const violations = detail === undefined ? [] : [{ razao: detail, propriedade: "requisicao" }]
  const answer = problem(status, type, title, violations)
  const { headers } = answer
  if (name === "rate_limited") return { ...answer, headers: { ...headers, "retry-after": String(afterSeconds) } }
  if (name !== "credentials_invalid") return answer
  return { ...answer, headers: { ...headers, "www-authenticate": 'Bearer error="invalid_token"' } }
}

/** The answer when the bank itself fails. */
export const failure: SimulatedAnswer = problem(
  500,
  "ErroInternoDoServidor",
  "Condição inesperada ao processar requisição."
)
