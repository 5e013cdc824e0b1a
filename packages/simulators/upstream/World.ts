import { createHash, randomBytes } from "node:crypto"
import type { Demand } from "./Demands.ts"

/** The settings of a simulated platform, with the values of the product that uses it. */
export interface UpstreamOptions {
  /** Epoch milliseconds. */
  readonly now: () => number
  readonly appId: string
  readonly appSecret: string
  readonly verifyToken: string
  /** True when the log has every call and every webhook in full; see `POST /recording`. */
  readonly records?: boolean
  /** The rules that the app's owner has switched on from the beginning; see `POST /demands`. */
  readonly demands?: ReadonlyArray<Demand>
  /**
   * The unit of delivery statuses in milliseconds: sent after one, delivered after three, read after six; 0 for at
   * once.
   */
  readonly statusUnitMs: number
  /** Milliseconds from a submitted template or flow to its review. */
  readonly reviewMs: number
  /** Receives text messages to numbers, such as a verification code; without it they are lost. */
  readonly sms?: (to: string, text: string) => void
}

/** A business account, the token that reaches it, and its numbers. */
export interface AccountSetup {
  readonly biz_account_id: string
  readonly token: string
  readonly numbers: ReadonlyArray<{ readonly id: string; readonly display_phone_number: string }>
  readonly templates: ReadonlyArray<TemplateSetup>
  /** True for an account whose webhooks the app gets already. */
  readonly subscribed?: boolean
}

/** The business portfolio of an account. */
export interface Portfolio {
  readonly id: string
  /** Whose account it is: the portfolio's own, or one that its client shares with it. */
  readonly kind: "owned" | "client"
}

export interface TemplateSetup {
  readonly name: string
  readonly language: string
  readonly category: "MARKETING" | "UTILITY" | "AUTHENTICATION"
  /** The values of its body: their number, or their names. */
  readonly body: number | ReadonlyArray<string>
  /** The kind of file that its header shows; none without one. */
  readonly header?: "IMAGE" | "VIDEO" | "DOCUMENT"
}

export interface SimNumber {
  readonly id: string
  readonly biz_account_id: string
  display_phone_number: string
  quality_rating: "GREEN" | "YELLOW" | "RED" | "UNKNOWN"
  messaging_limit_tier: string
  throughput: "STANDARD" | "HIGH"
  verified_name: string
  name_status: string
  code_verification_status: "VERIFIED" | "NOT_VERIFIED"
  /** A number can send messages once it is connected. */
  status: "CONNECTED" | "PENDING" | "DISCONNECTED"
  platform_type: string
  /** The second factor that a registration must repeat; undefined before the first one. */
  pin: string | undefined
  is_on_biz_app: boolean | null
  is_official_business_account: boolean | null
  /** The most messages a second; more are refused with 130429. */
  perSecond: number
  /** The most messages a minute to one recipient; more are refused with 131056. */
  pairPerMinute: number
  /** Sends counted in the present second, and by recipient in the present minute. */
  second: { at: number; count: number }
  minute: { at: number; readonly pairs: Map<string, number> }
}

/** The platform's facts about a business account. */
export interface SimAccount {
  readonly send: "AVAILABLE" | "LIMITED" | "BLOCKED"
  /** Codes of the reasons that block it. */
  readonly codes: ReadonlyArray<number>
  readonly review: string
}

export interface SimTemplate {
  readonly id: string
  readonly biz_account_id: string
  readonly name: string
  readonly language: string
  category: string
  status: "PENDING" | "APPROVED" | "REJECTED" | "PAUSED" | "DISABLED"
  parameter_format: string
  components: unknown
  /** The values that a send needs for the body: their number, their names, or undefined when unknown. */
  body: number | ReadonlyArray<string> | undefined
}

export interface SimFile {
  readonly id: string
  readonly mime_type: string
  readonly bytes: Buffer
  readonly sha256: string
}

export interface SimFlow {
  readonly id: string
  readonly biz_account_id: string
  name: string
  readonly categories: ReadonlyArray<unknown>
  status: "DRAFT" | "PUBLISHED" | "DEPRECATED"
  validation_errors: ReadonlyArray<unknown>
}

export interface SimGroup {
  readonly id: string
  readonly biz_account_id: string
  readonly number: SimNumber
  readonly subject: string
  /** In seconds. */
  readonly created_at: string
  invite_link: string
}

/** A file of the app that arrives in pieces. */
export interface UploadSession {
  readonly id: string
  readonly name: string
  readonly type: string
  readonly length: number
  readonly pieces: Array<Buffer>
}

/** The whole state of a simulated platform. */
export class World {
  readonly options: UpstreamOptions
  /** Accounts that a token reaches, by token. */
  readonly tokens = new Map<string, Set<string>>()
  /** Codes of an embedded signup that were not exchanged yet. */
  readonly codes = new Map<string, ReadonlyArray<string>>()
  /** Where the consent dialog returned with a code. */
  readonly returns = new Map<string, string>()
  /** Send capabilities by account; accounts that are not listed may send. */
  readonly accounts = new Map<string, SimAccount>()
  readonly numbers = new Map<string, SimNumber>()
  readonly templates = new Map<string, SimTemplate>()
  readonly files = new Map<string, SimFile>()
  readonly flows = new Map<string, SimFlow>()
  readonly groups = new Map<string, SimGroup>()
  /** Accounts whose webhooks the app gets, with the address that replaces the app's own, if any. */
  readonly subscriptions = new Map<string, string | null>()
  /** Uploads of the app that are under way, and media types of finished ones by handle. */
  readonly uploads = new Map<string, UploadSession>()
  readonly handles = new Map<string, string>()
  /** Portfolios of accounts that a control call has set. */
  readonly portfolios = new Map<string, Portfolio>()
  /** The rules that the app's owner has switched on. */
  demands: ReadonlySet<Demand>
  /** True while the log has every call and every webhook in full. */
  records: boolean
  /** True when tokens are granted on all accounts, without their ids. */
  grantsAll = false
  /** Profile names of customers, by the digits of their phone. */
  readonly profiles = new Map<string, string>()
  /** Business-scoped ids that a control call has given to phones, by their digits. */
  readonly userIds = new Map<string, string>()
  /** False when tokens lack the permission to message. */
  mayMessage = true
  private ids = 0
  private readonly salt = randomBytes(6).toString("hex")

  constructor(options: UpstreamOptions) {
    this.options = options
    this.demands = new Set(options.demands)
    this.records = options.records === true
  }

  /** Returns an account's portfolio. */
  portfolioOf(biz_account_id: string): Portfolio {
    return this.portfolios.get(biz_account_id) ?? { id: `4${biz_account_id}`, kind: "owned" }
  }

  /** True when the app gets webhooks of this account: once it is subscribed. U-CON-01 */
  hears(biz_account_id: string): boolean {
    return this.subscriptions.has(biz_account_id)
  }

  add({ biz_account_id, numbers, subscribed, templates, token }: AccountSetup): void {
    if (subscribed === true) this.subscriptions.set(biz_account_id, null)
    this.tokens.set(token, new Set([...(this.tokens.get(token) ?? []), biz_account_id]))
    for (const { display_phone_number, id } of numbers) this.addNumber(id, biz_account_id, display_phone_number)
    for (const { body, category, header, language, name } of templates) {
      const known = [...this.templates.values()].some(
        (one) => one.biz_account_id === biz_account_id && one.name === name && one.language === language
      )
      if (known) continue
      const id = this.id("7")
      this.templates.set(id, {
        id,
        biz_account_id,
        name,
        language,
        category,
        status: "APPROVED",
        parameter_format: typeof body === "number" ? "POSITIONAL" : "NAMED",
        components: componentsOf(category, body, header),
        body
      })
    }
  }

  addNumber(id: string, biz_account_id: string, display_phone_number: string): SimNumber {
    const number: SimNumber = this.numbers.get(id) ?? {
      id,
      biz_account_id,
      display_phone_number,
      quality_rating: "GREEN",
      messaging_limit_tier: "TIER_1K",
      throughput: "STANDARD",
      verified_name: "Demo",
      name_status: "APPROVED",
      code_verification_status: "VERIFIED",
      status: "CONNECTED",
      platform_type: "CLOUD_API",
      pin: undefined,
      is_on_biz_app: false,
      is_official_business_account: true,
      perSecond: 1000,
      pairPerMinute: Number.POSITIVE_INFINITY,
      second: { at: 0, count: 0 },
      minute: { at: 0, pairs: new Map() }
    }
    number.display_phone_number = display_phone_number
    this.numbers.set(id, number)
    return number
  }

  /** Returns an id of digits, as the platform uses. */
  id(prefix: string): string {
    return `${prefix}${String(this.options.now()).slice(-9)}${String(++this.ids).padStart(6, "0")}`
  }

  /** Returns the id of a message, opaque like the platform's. */
  messageId(): string {
    return `wamid.${Buffer.from(`${this.salt}${(++this.ids).toString(36).padStart(8, "0")}`).toString("base64")}`
  }

  addFile(bytes: Buffer, mime_type: string): SimFile {
    const file = { id: this.id("9"), mime_type, bytes, sha256: createHash("sha256").update(bytes).digest("hex") }
    this.files.set(file.id, file)
    return file
  }

  /** True when any token reaches an account of this id. */
  isAccount(id: string): boolean {
    return [...this.tokens.values()].some((accounts) => accounts.has(id))
  }

  /** True when this token reaches the account. */
  reaches(token: string | undefined, biz_account_id: string): boolean {
    return token !== undefined && this.tokens.get(token)?.has(biz_account_id) === true
  }
}

/** Returns what a template of this category declares; its variables stand in a row. */
const componentsOf = (
  category: string,
  body: TemplateSetup["body"],
  header: TemplateSetup["header"]
): ReadonlyArray<unknown> => {
  if (category === "AUTHENTICATION") {
    return [
      { type: "BODY", add_security_recommendation: true },
      { type: "FOOTER", code_expiration_minutes: 10 },
      { type: "BUTTONS", buttons: [{ type: "OTP", otp_type: "COPY_CODE", text: "Copy code" }] }
    ]
  }
  const names = typeof body === "number" ? Array.from({ length: body }, (_, at) => String(at + 1)) : body
  return [
    ...(header === undefined ? [] : [{ type: "HEADER", format: header }]),
    { type: "BODY", text: ["Text", ...names.map((name) => `{{${name}}}`), "end"].join(" ") }
  ]
}
