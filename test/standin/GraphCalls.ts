import { createHmac } from "node:crypto"
import { type GraphAnswer, type GraphCall, ok, refuse } from "./GraphAnswer.ts"
import { takeMessage } from "./Messages.ts"
import type { Platform } from "./Platform.ts"

const missing = refuse(404, 803, "Object not found")

/** Answers a call as the description says. */
export const answerGraph = (platform: Platform, call: GraphCall): GraphAnswer => {
  const { pathname } = call.url
  if (pathname.startsWith("/media-host/")) return sendFile(platform, call, pathname.slice("/media-host/".length))
  const [version = "", node = "", edge = ""] = pathname.slice(1).split("/")
  if (!/^v\d+\.\d+$/.test(version)) return refuse(400, 100, "Invalid version format. Use format like 'v23.0'")
  if (node === "debug_token") return debugToken(platform, call)
  const token = tokenOf(call)
  if (token === undefined) return refuse(401, 104, "An access token is required to request this resource")
  const permissions = platform.tokens.get(token)
  if (permissions === undefined) return refuse(401, 190, "Invalid OAuth access token")
  return unproven(platform, call, token) ?? route(platform, call, permissions, node, edge)
}

const route = (
  platform: Platform,
  call: GraphCall,
  permissions: ReadonlyArray<string>,
  node: string,
  edge: string
): GraphAnswer => {
  const may = (permission: string, answer: () => GraphAnswer): GraphAnswer =>
    permissions.includes(permission)
      ? answer()
      : refuse(403, 200, "Your app doesn't have permission to access this resource")
  const manage = (answer: () => GraphAnswer) => may("whatsapp_business_management", answer)
  const message = (answer: () => GraphAnswer) => may("whatsapp_business_messaging", answer)
  switch (`${call.method} ${kindOf(platform, node)} ${edge}`.trim()) {
    case "GET account":
      return manage(() => fieldsOf(call, accountFacts(platform), ["name"]))
    case "GET account phone_numbers":
      return manage(() => listed(fieldsOf(call, numberFacts(platform), ["display_phone_number", "verified_name"])))
    case "GET account subscribed_apps":
      return manage(() =>
        ok({
          data: platform.subscribed.has(platform.app.id) ? [{ whatsapp_business_api_data: appFacts(platform) }] : []
        })
      )
    case "POST account subscribed_apps":
      return manage(() => {
        platform.subscribed.add(platform.app.id)
        return ok({ success: true })
      })
    case "GET account message_templates":
      return manage(() => ok({ data: platform.templates, paging: { cursors: { before: "MAZDZD", after: "MjQZD" } } }))
    case "GET number":
      return manage(() =>
        fieldsOf(call, numberFacts(platform), ["display_phone_number", "verified_name", "quality_rating"])
      )
    case "POST number register":
      return manage(() => register(platform, call))
    case "POST number messages":
      return message(() => takeMessage(platform, jsonOf(call)))
  }
  const file = platform.files.get(node)
  if (call.method === "GET" && edge === "" && file !== undefined) {
    const { bytes, type } = file
    const url = `${platform.url}/media-host/${node}`
    return message(() =>
      ok({ id: node, messaging_product: "whatsapp", mime_type: type, file_size: String(bytes.length), url })
    )
  }
  return missing
}

const kindOf = ({ number, waba }: Platform, node: string): string => {
  if (node === waba) return "account"
  return node === number.id && !number.isGone ? "number" : "other"
}

const tokenOf = ({ headers, url }: GraphCall): string | undefined =>
  /^Bearer (.+)$/.exec(headers.authorization ?? "")?.[1] ?? url.searchParams.get("access_token") ?? undefined

/** The app demands proof of its secret ("Require app secret" on its page). */
const unproven = ({ app }: Platform, { url }: GraphCall, token: string): GraphAnswer | undefined => {
  const proof = url.searchParams.get("appsecret_proof")
  if (proof === null) return refuse(400, 100, "API calls from the server require an appsecret_proof argument")
  const expected = createHmac("sha256", app.secret).update(token).digest("hex")
  return proof === expected ? undefined : refuse(400, 100, "Invalid appsecret_proof provided in the API argument")
}

const debugToken = (platform: Platform, call: GraphCall): GraphAnswer => {
  const { app, tokens, waba } = platform
  const appToken = `${app.id}|${app.secret}`
  if (tokenOf(call) !== appToken) return refuse(400, 190, "Invalid OAuth access token signature.")
  const input = call.url.searchParams.get("input_token")
  const facts = { app_id: app.id, application: "Jaspers Market" }
  if (input === appToken) return ok({ data: { ...facts, type: "APP", is_valid: true, scopes: [] } })
  const scopes = tokens.get(input ?? "")
  if (scopes === undefined) {
    const error = { code: 190, message: "Invalid OAuth access token - Cannot parse access token" }
    return ok({ data: { error, is_valid: false, scopes: [] } })
  }
  const granular_scopes = scopes.map((scope) => ({ scope, target_ids: [waba] }))
  return ok({
    data: { ...facts, type: "SYSTEM_USER", expires_at: 0, is_valid: true, scopes, granular_scopes, user_id: "1" }
  })
}

const appFacts = ({ app }: Platform) => ({
  id: app.id,
  name: "Jaspers Market",
  link: `https://www.facebook.com/games/?app_id=${app.id}`
})

const accountFacts = ({ waba }: Platform) => ({
  id: waba,
  name: "Jaspers Market",
  timezone_id: "1",
  account_review_status: "APPROVED",
  business_verification_status: "UNVERIFIED",
  country: "BR",
  // Fields of an account by the vendor's own business SDKs (`WhatsAppBusinessAccount.Field`); the description lists the second.
  owner_business_info: { id: "506914307656634", name: "Jaspers Market" },
  on_behalf_of_business_info: undefined,
  health_status: {
    can_send_message: "AVAILABLE",
    entities: [{ entity_type: "WABA", id: waba, can_send_message: "AVAILABLE" }]
  }
})

const numberFacts = ({ number }: Platform) => ({
  id: number.id,
  display_phone_number: number.display,
  verified_name: "Jaspers Market",
  quality_rating: "GREEN",
  name_status: "AVAILABLE_WITHOUT_REVIEW",
  new_name_status: undefined,
  new_display_name: undefined,
  code_verification_status: "VERIFIED",
  platform_type: number.platformType,
  is_on_biz_app: false,
  throughput: { level: "STANDARD" },
  messaging_limit_tier: undefined,
  whatsapp_business_manager_messaging_limit: number.limit
})

/** The named fields and the id; one that the node does not have is refused. */
const fieldsOf = ({ url }: GraphCall, facts: { readonly id: string }, usual: ReadonlyArray<string>): GraphAnswer => {
  const names = url.searchParams.get("fields")?.split(",") ?? usual
  const unknown = names.find((name) => !(name in facts))
  if (unknown !== undefined) return refuse(400, 100, `(#100) Tried accessing nonexisting field (${unknown})`)
  return ok(Object.fromEntries(Object.entries(facts).filter(([name]) => name === "id" || names.includes(name))))
}

const listed = (entry: GraphAnswer): GraphAnswer =>
  entry.status === 200 ? ok({ data: [entry.body], paging: { cursors: { before: "MAZDZD", after: "MjQZD" } } }) : entry

const register = ({ number }: Platform, call: GraphCall): GraphAnswer => {
  const { messaging_product, pin } = jsonOf(call)
  if (messaging_product !== "whatsapp") return refuse(400, 100, "The parameter messaging_product is required.")
  if (typeof pin !== "string" || !/^[0-9]{6}$/.test(pin)) {
    return refuse(400, 100, "Invalid PIN format. PIN must be exactly 6 digits")
  }
  if (number.pin !== null && number.pin !== pin)
    return refuse(400, 133005, "(#133005) Two step verification PIN mismatch")
  number.pin = pin
  number.platformType = "CLOUD_API"
  return ok({ success: true })
}

/** The media host sends a file to callers that name themselves and show a token. */
const sendFile = (platform: Platform, { headers }: GraphCall, id: string): GraphAnswer => {
  const file = platform.files.get(id)
  const token = /^Bearer (.+)$/.exec(headers.authorization ?? "")?.[1] ?? ""
  const isKnown = platform.tokens.has(token) && (headers["user-agent"] ?? "") !== ""
  if (file === undefined || !isKnown) {
    return { status: 404, body: Buffer.from("<!doctype html><title>Error</title>"), type: "text/html" }
  }
  return { status: 200, body: file.bytes, type: file.type }
}

const jsonOf = ({ body }: GraphCall): Readonly<Record<string, unknown>> => {
  try {
    const value: unknown = JSON.parse(body.toString("utf8"))
    return typeof value === "object" && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}
