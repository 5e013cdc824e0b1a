import { type OperationTraits, Traits } from "@carteiro/schema/conventions/Access.ts"
import { Context, type Schema } from "effect"
import { bodyDecoder, isRefusal, queryDecoder } from "../../packages/http-edge/decoding/Decoder.ts"

/** The parts of an endpoint that say how it is decoded. */
interface Endpoint {
  readonly annotations: Context.Context<never>
  readonly query: Schema.Top | undefined
}

/** The traits an endpoint of the contract carries. */
export const traitsOf = (endpoint: Endpoint): OperationTraits => Context.getUnsafe(endpoint.annotations, Traits)

/** How the edge decodes a body of one endpoint: the code and param of its refusal, or `accepted`. */
export const bodyOutcome = (endpoint: Endpoint, body: Schema.Top) => {
  const traits = traitsOf(endpoint)
  const decode = bodyDecoder(body, { code: traits.validation, strict: traits.strictBody === true })
  return (input: unknown) => told(decode(input))
}

/** The same for the declared parameters of a query. */
export const queryOutcome = (endpoint: Endpoint) => {
  if (endpoint.query === undefined) throw new Error("The endpoint declares no query")
  const decode = queryDecoder(endpoint.query, { code: traitsOf(endpoint).validation, strict: false })
  return (input: unknown) => told(decode(input))
}

const told = (decoded: unknown): string => (isRefusal(decoded) ? `${decoded._tag} ${decoded.param ?? "-"}` : "accepted")
