import { Failure, usage } from "../shell/Failure.ts"
import { defaultBase, type Shell } from "../shell/Shell.ts"
import { fields, table } from "../shell/Table.ts"

/** What the API's description tells of one error code. */
interface Code {
  readonly code: string
  readonly status: number
  readonly meaning: string
  readonly routes: ReadonlyArray<string>
  readonly url: string
}

interface Described {
  readonly paths: {
    readonly [path: string]: {
      readonly [method: string]: {
        readonly responses?: { readonly [status: string]: { readonly description?: string } }
      }
    }
  }
}

/** Shows one code, or lists all. Needs no key: the description is public. */
export const docs = async (shell: Shell, code: string | undefined): Promise<void> => {
  const codes = await readCodes(shell)
  if (code === undefined) {
    const rows = codes.map((one) => [one.code, one.status, one.meaning])
    return shell.result(codes, table(["CODE", "STATUS", "MEANING"], rows))
  }
  const found = codes.find((one) => one.code === code)
  if (found === undefined) {
    const near = codes.map((one) => one.code).filter((one) => one.includes(code) || code.includes(one))
    throw usage(`the API answers no ${code}`, near.length === 0 ? "carteiro docs lists all codes" : near.join(", "))
  }
  const routes =
    found.routes.length > 8
      ? `${found.routes.slice(0, 8).join(", ")} and ${found.routes.length - 8} more`
      : found.routes.join(", ")
  shell.result(
    found,
    fields({ code: found.code, status: found.status, meaning: found.meaning, routes, page: found.url })
  )
}

const readCodes = async (shell: Shell): Promise<ReadonlyArray<Code>> => {
  const { env, signal } = shell.io
  const known = shell.options.apiBase ?? env.CARTEIRO_API_BASE
  const base =
    known ??
    (await shell.access().then(
      ({ baseUrl }) => baseUrl,
      () => defaultBase
    ))
  const description = await fetch(`${base}/openapi.json`, { signal }).catch(() => undefined)
  if (description?.ok !== true)
    throw new Failure(`${base} gives no description of its codes`, { exitCode: 4, code: "no_answer" })
  return codesOf((await description.json()) as Described, base)
}

/** Reads lines such as "- `payment_not_found`: There is no such payment." of each answer. */
const codesOf = ({ paths }: Described, base: string): ReadonlyArray<Code> => {
  const codes = new Map<string, Code>()
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, { responses = {} }] of Object.entries(methods)) {
      for (const [status, { description = "" }] of Object.entries(responses)) {
        for (const [, code = "", meaning = ""] of description.matchAll(/^- `(\w+)`: (.*)$/gm)) {
          const known = codes.get(code)
          const routes = [...(known?.routes ?? []), `${method.toUpperCase()} ${path}`]
          codes.set(code, { code, status: Number(status), meaning, routes, url: `${base}/docs/errors/${code}` })
        }
      }
    }
  }
  return [...codes.values()].toSorted((one, other) => (one.code < other.code ? -1 : 1))
}
