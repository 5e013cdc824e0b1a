import type { Call, Handler, SimulatedAnswer } from "../kit/Routes.ts"
import { strikeAfter, strikeBefore } from "../kit/Strikes.ts"
import type { PixApiContext } from "./PixApiContext.ts"
import { failure, pixApiRefusals, refusalOf } from "./PixApiErrors.ts"
import { certificateOf, scopes } from "./Receivers.ts"

const refused = (status: number, error: string): SimulatedAnswer => ({ status, body: { error } })

/** The bank's token endpoint: OAuth client credentials, by Basic authentication or in the form. */
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
    if (form.get("grant_type") !== "client_credentials") {
      note("unsupported_grant_type")
      return refused(400, "unsupported_grant_type")
    }
    const wanted = form.get("scope")?.split(" ").filter(Boolean)
    const known: ReadonlyArray<string> = scopes
    const granted = wanted === undefined ? known : wanted.filter((scope) => known.includes(scope))
    const token = receivers.grant({ id, secret, certificate: certificateOf(call) }, granted, tokenSeconds)
    if (token === undefined) {
      note("credentials_invalid")
      return { ...refused(401, "invalid_client"), headers: { "www-authenticate": "Basic" } }
    }
    const lost = isNamed ? strikeAfter(faults, operation, call) : undefined
    note(lost?.name ?? "made")
    if (lost !== undefined) return lost.answer?.status === 500 ? failure : lost.answer
    const body = { access_token: token, token_type: "Bearer", expires_in: tokenSeconds, scope: granted.join(" ") }
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
