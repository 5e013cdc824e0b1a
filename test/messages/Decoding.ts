import { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { Context, Effect } from "effect"
import type { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { compileOperation } from "../../packages/http-edge/contract/Operation.ts"

/** The pipeline's result for a body: `ok`, or the refusal as `code param`. */
export const bodyVerdict = (group: HttpApiGroup.Constraint, name: string) => {
  const endpoint = (group.endpoints as Readonly<Record<string, HttpApiEndpoint.Top>>)[name]
  if (endpoint === undefined) throw new Error(`${group.identifier} has no endpoint ${name}`)
  const { decodeBody } = compileOperation(group, endpoint, () => Effect.die("not called"), Context.empty())
  return (body: unknown): string => {
    const decoded = decodeBody(body)
    return decoded instanceof ApiError ? `${decoded._tag} ${decoded.param ?? "-"}` : "ok"
  }
}

/** A copy of `base` with the value at a dotted path replaced, or removed when `value` is undefined. */
export const withField = (base: object, path: string, value: unknown): object => {
  const copy = structuredClone(base) as Record<string, unknown>
  const keys = path.split(".")
  const last = keys.pop() ?? ""
  let here = copy
  for (const key of keys) here = (here[key] ??= {}) as Record<string, unknown>
  if (value === undefined) delete here[last]
  else here[last] = value
  return copy
}
