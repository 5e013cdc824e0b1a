import { Context, type Redacted } from "effect"
import type { ChatProvider } from "./ChatProvider.ts"
import type { FlowProvider } from "./FlowProvider.ts"
import type { GroupProvider } from "./GroupProvider.ts"
import type { MediaProvider } from "./MediaProvider.ts"
import type { NumberHealthProvider } from "./NumberHealth.ts"
import type { NumberRegistrar } from "./NumberRegistration.ts"
import type { TemplateProvider } from "./TemplateProvider.ts"

/** A number at the platform, and the credential that reaches it. */
export interface PlatformNumber {
  readonly upstream_phone_number_id: string
  readonly token: Redacted.Redacted
}

/** A business account at the platform, and the credential that reaches it. */
export interface PlatformAccount {
  readonly biz_account_id: string
  readonly token: Redacted.Redacted
}

/** All ports of a chat platform, by account. gaps-2 E "Who calls the upstream" */
export interface ChatPlatform {
  readonly chat: (number: PlatformNumber) => ChatProvider
  readonly media: (number: PlatformNumber) => MediaProvider
  readonly health: (number: PlatformNumber) => NumberHealthProvider
  readonly templates: (account: PlatformAccount) => TemplateProvider
  readonly flows: (account: PlatformAccount) => FlowProvider
  readonly registrar: (account: PlatformAccount) => NumberRegistrar
  readonly groups: (number: PlatformNumber) => GroupProvider
}

/** The platform of this installation; undefined without a base URL. gaps-2 E "Who calls the upstream" */
export const UpstreamPlatform = Context.Reference<ChatPlatform | undefined>("@carteiro/provider/UpstreamPlatform", {
  defaultValue: () => undefined
})
