import { randomBytes } from "node:crypto"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { answerGraph } from "./GraphCalls.ts"
import { aboutNumber, type Cause, messageId, type Platform } from "./Platform.ts"
import { signedPost, verifyCallback } from "./StandinWebhooks.ts"

// A second, small platform for the test of docs/going-live.md, written from the vendor's description alone: from its
// OpenAPI (accounts, numbers, subscriptions, registration, messages, media, templates, errors, webhooks) and, where that is
// silent, its pages (access tokens, the handshake, signatures, statuses). It knows nothing of the product or its simulator.

/** The permissions that an integration needs. */
export const bothPermissions = ["whatsapp_business_management", "whatsapp_business_messaging"]

export interface Standin {
  readonly platform: Platform
  /** Makes a token of a system user, as the page "System users" does. */
  readonly makeToken: (permissions: ReadonlyArray<string>) => string
  /** Saves callback and verify token on the app's page, which makes the handshake; the sentence of a failure, or undefined. */
  readonly saveWebhook: (
    callback: string,
    verifyToken: string,
    fields: ReadonlyArray<string>
  ) => Promise<string | undefined>
  /** A customer writes to the number; the receiver's status, or why nothing was posted. */
  readonly customerWrites: (from: string, text: string) => Promise<Cause | number>
  /** A customer sends a picture, which the receiver fetches from the media host. */
  readonly customerSends: (from: string, type: string, bytes: Buffer) => Promise<Cause | number>
  readonly close: () => Promise<void>
}

const digits = (count: number): string =>
  String(randomBytes(8).readBigUInt64BE() % 10n ** BigInt(count)).padStart(count, "1")

/** Starts the platform on loopback, with one app, one account and one number that is not registered yet. */
export const startStandin = async (): Promise<Standin> => {
  const platform: Platform = {
    app: { id: digits(15), secret: randomBytes(16).toString("hex") },
    waba: digits(15),
    number: {
      id: digits(15),
      isGone: false,
      display: "+55 11 4002-8922",
      pin: null,
      platformType: "NOT_APPLICABLE",
      limit: "TIER_250"
    },
    tokens: new Map(),
    webhook: undefined,
    subscribed: new Set(),
    files: new Map(),
    taken: [],
    templates: [],
    url: "",
    post: (value) => signedPost(platform, value)
  }
  const server = createServer((request, response) => {
    const pieces: Array<Buffer> = []
    request.on("data", (piece: Buffer) => pieces.push(piece))
    request.on("end", () => {
      const url = new URL(request.url ?? "/", platform.url)
      const method = request.method ?? "GET"
      const { body, status, type } = answerGraph(platform, {
        method,
        url,
        headers: request.headers,
        body: Buffer.concat(pieces)
      })
      response.writeHead(status, { "content-type": type ?? "application/json; charset=UTF-8" })
      response.end(Buffer.isBuffer(body) ? body : JSON.stringify(body))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  platform.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    platform,
    makeToken: (permissions) => {
      const token = `EAA${randomBytes(24).toString("hex")}`
      platform.tokens.set(token, permissions)
      return token
    },
    saveWebhook: async (callback, verifyToken, fields) => {
      if (!(await verifyCallback(callback, verifyToken))) {
        return "The callback URL or verify token couldn't be validated. Please verify the provided information or try again later."
      }
      platform.webhook = { callback, fields: new Set(fields) }
      return undefined
    },
    customerWrites: (from, text) => platform.post(inbound(platform, from, { type: "text", text: { body: text } })),
    customerSends: (from, type, bytes) => {
      const id = digits(16)
      platform.files.set(id, { type, bytes })
      return platform.post(inbound(platform, from, { type: "image", image: { mime_type: type, id } }))
    },
    close: () => closed(server)
  }
}

const closed = (server: Server): Promise<void> => {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}

const inbound = (platform: Platform, from: string, content: object): object => {
  const timestamp = String(Math.floor(Date.now() / 1000))
  return aboutNumber(platform, {
    contacts: [{ profile: { name: "Sheena Nelson" }, wa_id: from }],
    messages: [{ from, id: messageId(), timestamp, ...content }]
  })
}
