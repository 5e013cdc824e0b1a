import type { SimulatedAnswer } from "../kit/Routes.ts"
import { problem, type Violation } from "./PixApiErrors.ts"

/** A list that a query asks for. Times are epoch milliseconds. */
export interface ListQuery {
  readonly begin: number
  readonly end: number
  readonly page: number
  readonly size: number
  readonly cpf: string | null
  readonly cnpj: string | null
  readonly status: string | null
}

const standardSize = 100
const mostSize = 1000

const instantPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/

/** Returns the list that a query asks for, or the refusal under the type of its endpoint. */
export const listQueryOf = (query: URLSearchParams, type: string): ListQuery | SimulatedAnswer => {
  const violations: Array<Violation> = []
  const instant = (propriedade: string): number => {
    const text = query.get(propriedade) ?? ""
    const at = instantPattern.test(text) ? Date.parse(text) : Number.NaN
    if (Number.isNaN(at)) violations.push({ razao: "O parâmetro não respeita o schema.", propriedade, valor: text })
    return at
  }
  const whole = (propriedade: string, standard: number, least: number): number => {
    const value = Number(query.get(propriedade) ?? standard)
    const isKept = Number.isSafeInteger(value) && value >= least
    if (!isKept) violations.push({ razao: `O parâmetro ${propriedade} é negativo.`, propriedade })
    return value
  }
  const [begin, end] = [instant("inicio"), instant("fim")]
  if (end < begin) violations.push({ razao: "O timestamp fim é anterior ao timestamp inicio.", propriedade: "fim" })
  const [cpf, cnpj] = [query.get("cpf"), query.get("cnpj")]
  if (cpf !== null && cnpj !== null) {
    violations.push({ razao: "Ambos os parâmetros cpf e cnpj estão preenchidos.", propriedade: "cpf" })
  }
  const page = whole("paginacao.paginaAtual", 0, 0)
  const size = Math.min(mostSize, whole("paginacao.itensPorPagina", standardSize, 1))
  if (violations.length > 0) return problem(400, type, "Consulta inválida.", violations)
  return { begin, end, page, size, cpf, cnpj, status: query.get("status") }
}

/** Returns one page of a list, with the parameters that the description shows beside it. */
export const pageOf = <Item>(
  items: ReadonlyArray<Item>,
  { begin, cnpj, cpf, end, page, size, status }: ListQuery
): { readonly parametros: object; readonly items: ReadonlyArray<Item> } => ({
  parametros: {
    inicio: new Date(begin).toISOString(),
    fim: new Date(end).toISOString(),
    ...(cpf === null ? undefined : { cpf }),
    ...(cnpj === null ? undefined : { cnpj }),
    ...(status === null ? undefined : { status }),
    paginacao: {
      paginaAtual: page,
      itensPorPagina: size,
      quantidadeDePaginas: Math.max(1, Math.ceil(items.length / size)),
      quantidadeTotalDeItens: items.length
    }
  },
  items: items.slice(page * size, (page + 1) * size)
})
