import type { Call, Handler, SimulatedAnswer } from "../kit/Routes.ts"
import { strikeAfter, strikeBefore } from "../kit/Strikes.ts"
import type { PixApiContext } from "./PixApiContext.ts"
import { failure, pixApiRefusals, refusalOf } from "./PixApiErrors.ts"
import { certificateOf } from "./Receivers.ts"

/** Returns a refusal as RFC 6749, 5.2 has it. */
const refused = (error: string): SimulatedAnswer => ({
  status: error === "invalid_client" ? 401 : 400,
  body: { error },
  headers: {
    "cache-control": "no-store",
    ...(error === "invalid_client" ? { "www-authenticate": 'Basic realm="pix"' } : undefined)
  }
})

/** The bank's token endpoint: OAuth client credentials, by Basic authentication or in the form. RFC 6749, 4.4 */
export const tokenRoute = ({ faults, log, receivers, tokenSeconds }: PixApiContext): Handler => {
  const operation = "token"
  return (call) => {
    const refuseBy = (code: (typeof pixApiRefusals)[number], value: number | undefined) =>
      refusalOf(code, "simulated", value)
    // A fault without an operation hits the main calls alone.
    const isNamed = faults.list.some((fault) => fault.operation === operation)
    const struck = isNamed ? strikeBefore(faults, pixApiRefusals, refuseBy, operation, call) : undefined
    if (struck !== undefined) {
      log.add(operation, { outcome: struck.name })
      return struck.answer?.status === 500 ? failure : struck.answer
    }
    const form = new URLSearchParams(call.body.toString("utf8"))
    const { id, secret } = credentialsOf(call, form)
    const note = (outcome: string) => log.add(operation, { outcome, client_id: id })
    const refuse = (error: string, outcome = error) => {
      note(outcome)
      return refused(error)
    }
    const grantTypes = form.getAll("grant_type")
    if (grantTypes.length !== 1) return refuse("invalid_request")
    if (grantTypes[0] !== "client_credentials") return refuse("unsupported_grant_type")
    const wanted = form.get("scope")?.split(" ").filter(Boolean)
    const granted = receivers.grant({ id, secret, certificate: certificateOf(call) }, wanted, tokenSeconds)
    if (granted === "invalid_client") return refuse(granted, "credentials_invalid")
    if (typeof granted === "string") return refuse(granted)
    const lost = isNamed ? strikeAfter(faults, operation, call) : undefined
    note(lost?.name ?? "made")
    if (lost !== undefined) return lost.answer?.status === 500 ? failure : lost.answer
    const { scopes, token } = granted
    const body = { access_token: token, token_type: "Bearer", expires_in: tokenSeconds, scope: scopes.join(" ") }
    return { status: 200, body, headers: { "cache-control": "no-store" } }
  }
}

/** Returns the credentials of a call; RFC 6749 encodes them as form values before Basic authentication does. */
const credentialsOf = ({ headers }: Call, form: URLSearchParams): { readonly id: string; readonly secret: string } => {
  const basic = /^Basic (\S+)$/i.exec(headers.authorization ?? "")?.[1]
  if (basic === undefined) return { id: form.get("client_id") ?? "", secret: form.get("client_secret") ?? "" }
  const [id = "", ...rest] = Buffer.from(basic, "base64").toString("utf8").split(":")
  return { id: decoded(id), secret: decoded(rest.join(":")) }
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll("+", " "))
  } catch {
    return text
  }
}
