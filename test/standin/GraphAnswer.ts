import { randomBytes } from "node:crypto"
import type { IncomingHttpHeaders } from "node:http"

/** One call of the API. */
export interface GraphCall {
  readonly method: string
  readonly url: URL
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** Its answer: JSON, or bytes with their type. */
export interface GraphAnswer {
  readonly status: number
  readonly body: object | Buffer
  readonly type?: string
}

export const ok = (body: object): GraphAnswer => ({ status: 200, body })

/** A refusal in the description's schema `GraphAPIError`. */
export const refuse = (status: number, code: number, message: string, details?: string): GraphAnswer => ({
  status,
  body: {
    error: {
      message,
      type: code === 803 ? "GraphMethodException" : "OAuthException",
      code,
      ...(details === undefined ? {} : { error_data: { messaging_product: "whatsapp", details } }),
      fbtrace_id: `A${randomBytes(16).toString("base64url")}`
    }
  }
})
