import { type ParsedSecret, parseSecret } from "../keys/ApiKeySecret.ts"

const bearer = /^bearer +(\S+)$/i

/**
 * The key of a request from every Authorization header it carries: exactly one, `Bearer` in any case, a well-formed
 * secret. `undefined` otherwise, which is always the same 401. A-AUTH-03, A-AUTH-04, gaps-1 C "401 details"
 */
export const presentedSecret = (headers: ReadonlyArray<string>): ParsedSecret | undefined => {
  if (headers.length !== 1) return undefined
  const match = bearer.exec((headers[0] as string).trim())
  return match === null ? undefined : parseSecret(match[1] as string)
}
