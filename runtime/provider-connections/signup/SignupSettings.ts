import { Context } from "effect"

/** The settings of signups of this installation. gaps-2 L "Signup sessions and onboarding", M-CONN-35 */
export interface SignupSettings {
  /** The origins to which the signup may redirect people. */
  readonly returnOrigins: ReadonlySet<string>
  readonly appId: string | undefined
  readonly configId: string | undefined
  readonly sdkUrl: string | undefined
  readonly version: string
  /** The platform's consent page; undefined without one. */
  readonly dialogUrl: string | undefined
}

/** The settings of this process. */
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
