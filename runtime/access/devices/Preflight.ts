import type { DeviceAuthorizationToken, PreflightCheck } from "@carteiro/schema/access/DeviceAuthorization.ts"
import type { EnvironmentKind, KeyScope } from "@carteiro/schema/conventions/Access.ts"

/** The facts that the checks use; `undefined` when no room provides them. */
export interface PreflightFacts {
  readonly organization_active: boolean
  readonly project_active: boolean
  readonly environment: EnvironmentKind
  readonly asked: ReadonlyArray<KeyScope>
  readonly granted: ReadonlyArray<KeyScope>
  readonly credit_blocked: boolean
  readonly active_senders: number | undefined
  readonly webhook_endpoints: number | undefined
}

type Verdict = readonly [status: PreflightCheck["status"], message: string]

/**
 * Returns the checks of a new key in their fixed order; ready when none fails. A missing webhook endpoint only warns,
 * because events can be read by listening. A-DEV-16, gaps-1 E "200 body"
 */
export const preflight = (facts: PreflightFacts): DeviceAuthorizationToken["preflight"] => {
  const checks = [
    check(
      "organization_active",
      holds(facts.organization_active, "The organization is active.", "The organization is not active.")
    ),
    check("project_active", holds(facts.project_active, "The project is active.", "The project is not active.")),
    check("scopes_granted", scopes(facts)),
    check("credit_available", credit(facts)),
    check("sender_available", sender(facts)),
    check("webhook_endpoint_present", webhooks(facts))
  ]
  return { ready: checks.every(({ status }) => status !== "fail"), checks }
}

const check = (code: string, [status, message]: Verdict): PreflightCheck => ({ code, status, message })

const holds = (condition: boolean, pass: string, fail: string): Verdict => (condition ? ["pass", pass] : ["fail", fail])

const scopes = ({ asked, granted }: PreflightFacts): Verdict =>
  asked.every((scope) => granted.includes(scope))
    ? ["pass", "Every scope asked for was granted."]
    : ["warn", "Fewer scopes were granted than asked for."]

const credit = ({ environment, credit_blocked }: PreflightFacts): Verdict =>
  environment === "sandbox"
    ? ["skipped", "Sandbox traffic is free."]
    : holds(!credit_blocked, "Credit is available.", "The credit balance is exhausted.")

const sender = ({ active_senders, granted }: PreflightFacts): Verdict =>
  active_senders === undefined || !granted.includes("messages:write")
    ? ["skipped", "This key needs no sender."]
    : holds(active_senders > 0, "An active phone number is available.", "No active phone number is available.")

const webhooks = ({ webhook_endpoints }: PreflightFacts): Verdict =>
  webhook_endpoints === undefined
    ? ["skipped", "Webhook endpoints were not looked at."]
    : webhook_endpoints > 0
      ? ["pass", "A webhook endpoint is registered."]
      : ["warn", "No webhook endpoint is registered."]
