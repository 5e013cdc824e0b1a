import { randomBytes } from "node:crypto"

/** Why the platform posted nothing. */
export type Cause = "the app has no verified callback" | "the app is not subscribed to the account" | "no answer"

/** A message that the platform took. */
interface TakenMessage {
  readonly id: string
  readonly body: Readonly<Record<string, unknown>>
}

/** The state of the platform, which a person changes on the vendor's pages. */
export interface Platform {
  readonly app: { readonly id: string; readonly secret: string }
  readonly waba: string
  readonly number: {
    readonly id: string
    /** True once the number was removed from the account. */
    isGone: boolean
    readonly display: string
    pin: string | null
    platformType: string
    limit: string
  }
  /** The permissions of each token. */
  readonly tokens: Map<string, ReadonlyArray<string>>
  /** The app's webhook settings, once they were verified. */
  webhook: { readonly callback: string; readonly fields: ReadonlySet<string> } | undefined
  readonly subscribed: Set<string>
  readonly files: Map<string, { readonly type: string; readonly bytes: Buffer }>
  readonly taken: Array<TakenMessage>
  templates: ReadonlyArray<object>
  /** The base address of this server. */
  url: string
  readonly post: (value: object) => Promise<Cause | number>
}

/** The value of a webhook about the number, as the description's examples have it. */
export const aboutNumber = ({ number }: Platform, members: object): object => ({
  messaging_product: "whatsapp",
  metadata: { display_phone_number: number.display.replaceAll(/\D/g, ""), phone_number_id: number.id },
  ...members
})

/** An opaque id of a message. */
export const messageId = (): string => `wamid.${randomBytes(27).toString("base64")}`
