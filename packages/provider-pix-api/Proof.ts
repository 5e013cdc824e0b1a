import type { PixCredentialAnswer } from "@carteiro/provider/payments/PixProvider.ts"
import { jsonOf, memberOf } from "@carteiro/vendor-http/VendorAnswers.ts"
import type { VendorResult } from "@carteiro/vendor-http/VendorCalls.ts"
import { textOf } from "@carteiro/vendor-http/VendorJson.ts"
import type { BadCredential, PixApiAccount } from "./Accounts.ts"
import { isRefusal, type NoToken, type PixApiRequest, permissions } from "./Exchange.ts"

/** The time of the charges that the proof lists, in milliseconds. */
const listedMs = 1000

/** Returns the read that proves the path of the base URL and the permission to read charges: a list of one second, of one charge. */
export const chargesRead = (now: number): PixApiRequest => {
  const query = new URLSearchParams({
    inicio: new Date(now - listedMs).toISOString(),
    fim: new Date(now).toISOString(),
    "paginacao.itensPorPagina": "1"
  })
  return { method: "GET", at: `/cob?${query}` }
}

/** Returns the read about the webhook of an account's Pix key. */
export const webhookRead = ({ pixKey }: PixApiAccount): PixApiRequest => ({
  method: "GET",
  at: `/webhook/${encodeURIComponent(pixKey)}`
})

/** Returns the fault that a refused token shows; without a token and without a refusal nothing is known. */
export const tokenVerdict = (none: NoToken): PixCredentialAnswer => {
  if (none._tag === "Unknown") return none
  return lacksPermissions.includes(none.code)
    ? bad("client_id", withoutPermissions)
    : bad("client_secret", refusedClient)
}

/** Returns what the list of charges proves: at a wrong path answers a gateway or a website, and no list. */
export const pathVerdict = (result: VendorResult | NoToken): PixCredentialAnswer => {
  if (result._tag === "Broken") return { _tag: "Unknown" }
  if (result._tag !== "Answered") return tokenVerdict(result)
  const { status } = result
  if (status >= 400 && !isRefusal(status)) return { _tag: "Unknown" }
  const json = jsonOf(result)
  const problem = textOf(json, "type")?.split("/").at(-1)
  if (status === 403 && problem === "AcessoNegado") return bad("client_id", withoutPermissions)
  // Gateways say of a path that they do not know that access to it is denied.
  if (status === 401 || status === 403) return bad("base_url", deniedPath(status))
  const isList = status >= 200 && status < 300 && Array.isArray(memberOf(json, "cobs"))
  // An institution that wants another list says so as the standard has it, and so it stands at this path.
  const isQuery = status === 400 && problem === "CobConsultaInvalida"
  return isList || isQuery ? { _tag: "Good" } : bad("base_url", notTheApi(status))
}

/**
 * Returns what the webhook of the Pix key proves. A key without one is answered as a key of another's, with 404, so only
 * a refusal of the key itself counts; the first charge shows the rest.
 */
export const keyVerdict = (result: VendorResult | NoToken): PixCredentialAnswer => {
  if (result._tag !== "Answered") return { _tag: "Good" }
  if (result.status === 400 || result.status === 422) return bad("pix_key", refusedKey)
  return result.status === 403 ? bad("pix_key", deniedKey) : { _tag: "Good" }
}

/** Returns the fault of a text that is no Pix key. */
export const keyFault = (pixKey: string): BadCredential | undefined =>
  keyForms.some((form) => form.test(pixKey)) ? undefined : bad("pix_key", malformedKey)

/** CPF, CNPJ, phone, random key and e-mail, as a code carries them. */
const keyForms = [
  /^\d{11}$/,
  /^[0-9A-Z]{12}\d{2}$/,
  /^\+[1-9]\d{9,14}$/,
  /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
  /^[^\s@]+@[^\s@]+$/
]

const bad = (field: string, message: string): BadCredential => ({ _tag: "Bad", field, message })

/** The errors of RFC 6749, 5.2 for a client that is known. */
const lacksPermissions: ReadonlyArray<string> = ["invalid_scope", "unauthorized_client"]

const refusedClient = "The institution refuses client_id and client_secret; copy both from its page of applications."

const withoutPermissions = `The application of client_id lacks permissions at the institution; grant it ${permissions.join(", ")}.`

const notTheApi = (status: number): string =>
  `At base_url is no API Pix: GET /cob below it is answered ${status} without a list of charges. Enter the institution's base URL with its version, such as https://pix.example.com/api/v2.`

const deniedPath = (status: number): string =>
  `The institution refuses GET /cob below base_url with ${status}. Enter its base URL with its version, such as https://pix.example.com/api/v2, or grant the application of client_id ${permissions.join(", ")}.`

const malformedKey =
  "pix_key must be a Pix key: the digits of a CPF or a CNPJ, a phone such as +5511987654321, an e-mail address, or a random key."

const refusedKey = "The institution refuses pix_key; enter a Pix key of this account."

const deniedKey =
  "The institution lets this application see nothing of pix_key; enter a Pix key of this account, or grant it webhook.read."
