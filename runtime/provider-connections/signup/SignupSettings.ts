import { Context } from "effect"

/** The settings of signups of this installation. gaps-2 L "Signup sessions and onboarding", M-CONN-35 */
export interface SignupSettings {
  /** Origins people may be sent back to. */
  readonly returnOrigins: ReadonlySet<string>
  readonly appId: string | undefined
  readonly configId: string | undefined
  readonly sdkUrl: string | undefined
  readonly version: string
  /** Where the platform asks people for their consent; undefined without one. */
  readonly dialogUrl: string | undefined
}

/** Those of this process. */
export const SignupSettings = Context.Reference<SignupSettings>(
  "@carteiro/runtime/provider-connections/signup/SignupSettings",
  {
    defaultValue: () => ({
      returnOrigins: new Set(),
      appId: undefined,
      configId: undefined,
      sdkUrl: undefined,
      version: "v23.0",
      dialogUrl: undefined
    })
  }
)
