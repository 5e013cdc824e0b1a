import type { PlatformCredentials } from "@carteiro/provider/ChatCredentials.ts"
import type { ChatPlatform } from "@carteiro/provider/ChatPlatform.ts"
import { Effect } from "effect"
import type { InstallationAccount } from "../../provider-connections/Operator.ts"
import { attention, type Finding, type Judgement, wrong } from "./Finding.ts"
import {
  accountFindings,
  limitFinding,
  registrationFinding,
  subscriptionFinding,
  templatesFinding,
  tokenFinding
} from "./PlatformFindings.ts"
import { checked } from "./Probe.ts"

interface Ports {
  readonly platform: ChatPlatform
  readonly credentials: PlatformCredentials
}

/** Looks at one account by reads alone. A token that the platform does not take ends the look: all else would repeat it. */
export const lookAtAccount = Effect.fnUntraced(function* (
  { credentials, platform }: Ports,
  { biz_account_id, id, numbers, status, token: credential }: InstallationAccount,
  now: number
): Effect.fn.Return<ReadonlyArray<Finding>> {
  const name = `account ${biz_account_id ?? "without id"} (${id})`
  const standing = standingOf(name, status)
  if (credential === undefined) return [...standing, finding("token", unopened(name))]
  const token = yield* checked(
    "token",
    Effect.map(credentials.inspect(credential), (call) => [
      tokenFinding(name, { appId: credentials.appId, bizAccountId: biz_account_id, now }, call)
    ])
  )
  if (biz_account_id === null || token.some((one) => one.status === "wrong")) return [...standing, ...token]
  const account = { biz_account_id, token: credential }
  const found = yield* Effect.all(
    [
      checked(
        "subscription",
        Effect.map(credentials.subscription(account), (call) => [subscriptionFinding(name, call)])
      ),
      checked(
        "account",
        Effect.map(credentials.account(account), (call) => accountFindings(name, call))
      ),
      checked(
        "templates",
        Effect.map(platform.templates(account).list(undefined), (call) => [templatesFinding(name, call)])
      ),
      ...numbers.map((number) =>
        checked(
          "number",
          Effect.map(platform.health({ ...number, token: credential }).read, (call) =>
            // A refusal is told once.
            call._tag === "Done"
              ? [registrationFinding(number, call), limitFinding(number, call)]
              : [registrationFinding(number, call)]
          )
        )
      )
    ],
    { concurrency: 4 }
  )
  const none = numbers.length === 0 ? [finding("number", withoutNumber(name))] : []
  return [...standing, ...token, ...found.flat(), ...none]
})

const finding = (check: string, judgement: Judgement): Finding => ({ check, ...judgement })

const unopened = (name: string) =>
  wrong(
    `The credential of ${name} cannot be read with this master key.`,
    "Run the doctor with the CARTEIRO_MASTER_KEY of the nodes; if it is lost, rotate the connection to a new token."
  )

const withoutNumber = (name: string) =>
  attention(
    `No active number here belongs to ${name}.`,
    "Bring its number in (docs/phone-numbers.md), or disconnect it."
  )

const standingOf = (name: string, status: InstallationAccount["status"]): ReadonlyArray<Finding> => {
  if (status === "connected") return []
  return [
    finding(
      "connection",
      status === "pending"
        ? attention(
            `The connection of ${name} is pending: nothing is sent.`,
            "Mend what is told of it, and complete it."
          )
        : wrong(
            `The connection of ${name} is suspended: nothing is sent.`,
            "Appeal at the platform; a good token lifts it too."
          )
    )
  ]
}
