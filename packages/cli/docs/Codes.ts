import { Failure, usage } from "../shell/Failure.ts"
import { defaultBase, type Shell } from "../shell/Shell.ts"
import { fields, table } from "../shell/Table.ts"

/** The facts of the API description about one error code. */
interface Code {
  readonly code: string
  readonly status: number
  readonly meaning: string
  readonly routes: ReadonlyArray<string>
}

/** Responses by status, or by the name under which several operations refer to one. */
interface Responses {
  readonly [name: string]: { readonly description?: string; readonly $ref?: string }
}

interface ApiDescription {
  readonly paths: { readonly [path: string]: { readonly [method: string]: { readonly responses?: Responses } } }
  readonly components?: { readonly responses?: Responses }
}

/** Shows one code, or lists all. Needs no key: the description is public. */
export const showCodes = async (shell: Shell, code: string | undefined): Promise<void> => {
  const base = await baseOf(shell)
  const codes = await readCodes(shell, base)
  if (code === undefined) {
    const rows = codes.map((one) => [one.code, one.status, one.meaning])
    return shell.result(codes, table(["CODE", "STATUS", "MEANING"], rows))
  }
  const page = await readPage(base, code)
  const described = codes.find((one) => one.code === code)
  if (described === undefined && page !== undefined) return shell.result({ code, ...page }, fields({ code, ...page }))
  if (described === undefined) {
    const near = codes.map((one) => one.code).filter((one) => one.includes(code) || code.includes(one))
    throw usage(`the API has no code ${code}`, near.length === 0 ? "carteiro docs lists all codes" : near.join(", "))
  }
  const more = described.routes.length - shownRoutes
  const routes = described.routes.slice(0, shownRoutes).join(", ") + (more > 0 ? ` and ${more} more` : "")
  const advice = { remedy: page?.remedy, page: page?.page ?? `${base}/docs` }
  shell.result(
    { ...described, ...advice },
    fields({ code: described.code, status: described.status, meaning: described.meaning, routes, ...advice })
  )
}

/** The most routes in the text; `--json` has them all. */
const shownRoutes = 8

/** The page of a code. Codes that only messages fail with appear nowhere else. */
interface Page {
  readonly meaning: string
  readonly remedy: string | undefined
  readonly page: string
}

/** Returns undefined for a code without a page, and for an API that has no page for each code. */
const readPage = async (base: string, code: string): Promise<Page | undefined> => {
  const page = `${base}/docs/errors/${encodeURIComponent(code)}`
  const answer = await fetch(`${page}.md`).catch(() => undefined)
  if (answer?.ok !== true) return undefined
  const parts = (await answer.text()).split("\n\n")
  const remedyAt = parts.indexOf("## What to do") + 1
  return { meaning: parts[1] ?? "", remedy: remedyAt === 0 ? undefined : parts[remedyAt], page }
}

const baseOf = (shell: Shell): string | Promise<string> =>
  shell.options.apiBase ??
  shell.io.env.CARTEIRO_API_BASE ??
  shell.access().then(
    ({ baseUrl }) => baseUrl,
    () => defaultBase
  )

const readCodes = async (shell: Shell, base: string): Promise<ReadonlyArray<Code>> => {
  const description = await fetch(`${base}/openapi.json`, { signal: shell.io.signal }).catch(() => undefined)
  if (description?.ok !== true)
    throw new Failure(`${base} gives no description of its codes`, { exitCode: 4, code: "no_answer" })
  return codesOf((await description.json()) as ApiDescription)
}

/** Reads lines such as "- `payment_not_found`: There is no such payment." of each response. */
const codesOf = ({ components, paths }: ApiDescription): ReadonlyArray<Code> => {
  const sentences = ({ $ref, description = "" }: Responses[string]): string =>
    $ref === undefined ? description : (components?.responses?.[$ref.split("/").at(-1) ?? ""]?.description ?? "")
  const codes = new Map<string, Code>()
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, { responses = {} }] of Object.entries(methods)) {
      for (const [status, response] of Object.entries(responses)) {
        for (const [, code = "", meaning = ""] of sentences(response).matchAll(/^- `(\w+)`: (.*)$/gm)) {
          const before = codes.get(code)
          const routes = [...(before?.routes ?? []), `${method.toUpperCase()} ${path}`]
          codes.set(code, { code, status: Number(status), meaning, routes })
        }
      }
    }
  }
  return [...codes.values()].toSorted((one, other) => (one.code < other.code ? -1 : 1))
}
