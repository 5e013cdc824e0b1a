import { createHmac, randomInt } from "node:crypto"
import type { Cause, Platform } from "./Platform.ts"

/** Makes the handshake: the callback has to answer the challenge, and nothing else. */
export const verifyCallback = async (callback: string, verifyToken: string): Promise<boolean> => {
  const challenge = String(randomInt(1_000_000_000, 2_000_000_000))
  const url = new URL(callback)
  url.searchParams.set("hub.mode", "subscribe")
  url.searchParams.set("hub.challenge", challenge)
  url.searchParams.set("hub.verify_token", verifyToken)
  const answer = await fetch(url, { redirect: "manual" }).catch(() => undefined)
  return answer?.status === 200 && (await answer.text()) === challenge
}

/** Posts a change of the field `messages`, signed with the app's secret, where somebody subscribed to it. */
export const signedPost = async (platform: Platform, value: object): Promise<Cause | number> => {
  const { app, subscribed, waba, webhook } = platform
  if (webhook === undefined || !webhook.fields.has("messages")) return "the app has no verified callback"
  if (!subscribed.has(app.id)) return "the app is not subscribed to the account"
  const entry = [{ id: waba, changes: [{ value, field: "messages" }] }]
  const body = escaped(JSON.stringify({ object: "whatsapp_business_account", entry }))
  const signature = createHmac("sha256", app.secret).update(body).digest("hex")
  const headers = { "content-type": "application/json", "x-hub-signature-256": `sha256=${signature}` }
  const answer = await fetch(webhook.callback, { method: "POST", headers, body }).catch(() => undefined)
  return answer?.status ?? "no answer"
}

/** The platform writes characters beyond ASCII in escapes, and slashes too; the signature is over that text. */
const escaped = (json: string): string =>
  json
    .replaceAll("/", "\\/")
    .replaceAll(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
