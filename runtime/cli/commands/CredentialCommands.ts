import { type Reply, readReply } from "@carteiro/http-edge/Reply.ts"
import { Ids } from "@carteiro/owners/Ids.ts"
import type { AuditAction } from "@carteiro/schema/audit/AuditLogApi.ts"
import { text } from "@carteiro/schema/conventions/Text.ts"
import { formatTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import type { ProviderConnection } from "@carteiro/schema/provider-connections/ProviderConnection.ts"
import { InvalidProviderConnectionRequest } from "@carteiro/schema/provider-connections/ProviderConnectionErrors.ts"
import { Clock, Effect, FileSystem, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { ConnectionActions } from "../../provider-connections/Operator.ts"
import { recordChange } from "../kit/Audited.ts"
import { facts, print } from "../kit/Output.ts"
import { environment, foundEnvironment, idArgument, instant, orUndefined } from "../kit/Parameters.ts"

const id = idArgument("connection", "Id of the connection", "pcn_…")
const accountId = (name: string, about: string) =>
  Flag.String(name).pipe(Flag.withDescription(about), Flag.withSchema(text(1, 64)), Flag.optional)

/** A token is read from a file, so that no list of processes and no history of a shell has it. */
const tokenFile = Flag.String("token-file").pipe(
  Flag.withDescription("File that holds the access token; - takes it from a pipe"),
  Flag.withMetavar("path")
)
const readToken = Effect.fnUntraced(function* (path: string) {
  const files = yield* FileSystem.FileSystem
  const held = yield* Effect.mapError(
    files.readFileString(path === "-" ? "/dev/stdin" : path),
    () => new InvalidProviderConnectionRequest({ message: `The token file ${path} cannot be read.` })
  )
  return held.trim()
})
const expires = instant("expires-at", "When the token ends; what the platform says when left out")
const account = accountId("account", "Id of the business account at the platform")
const number = accountId("number", "The platform's id of the number, not the phone")

/** A call of the API's own action, as no key makes it. */
const callOf = Effect.fnUntraced(function* (environmentId: string) {
  const { id, kind } = yield* foundEnvironment(environmentId)
  const traceId = (yield* Ids).traceId()
  const now = yield* Clock.currentTimeMillis
  return { caller: { environment_id: id, environment: kind }, now, traceId }
})

/** One member of a body, or none where it was left out. */
const member = <const Name extends string>(name: Name, value: Option.Option<string>) =>
  (Option.isNone(value) ? {} : { [name]: value.value }) as { readonly [N in Name]?: string }

const expiry = (at: number | undefined) => (at === undefined ? undefined : { token_expires_at: formatTimestamp(at) })

/** Prints a connection, and writes down what was done to it; no credential is among its settings. */
const printAnswer = Effect.fnUntraced(function* (
  environmentId: string,
  action: AuditAction,
  answer: Reply<ProviderConnection>
) {
  const { trace_id: _, ...connection } = readReply(answer)
  const { biz_account_id, channel, credential_last_four, id, phone_number_id, status, token_expires_at } = connection
  const { organization_id } = yield* foundEnvironment(environmentId)
  yield* recordChange(organization_id, {
    action,
    environment: environmentId,
    subject: id,
    after: { channel, status, display_name: connection.display_name }
  })
  yield* print(
    connection,
    facts({ id, channel, status, biz_account_id, phone_number_id, credential_last_four, token_expires_at })
  )
})

/** Registers an account by its token. M-CONN-24 */
export const register = Command.make(
  "register",
  {
    environment,
    name: Flag.String("name").pipe(Flag.withDescription("What it is called"), Flag.withSchema(text(1, 255))),
    channel: Flag.Literals("channel", ["chatapp", "socialapp"]).pipe(
      Flag.withDescription("What it is used for"),
      Flag.withDefault("chatapp")
    ),
    account,
    number,
    page: accountId("page", "The page of the social channel"),
    tokenFile,
    expires
  },
  ({ account, channel, environment, expires, name, number, page, tokenFile }) =>
    Effect.gen(function* () {
      const call = yield* callOf(environment)
      const access_token = yield* readToken(tokenFile)
      const answer = yield* (yield* ConnectionActions).register(call, {
        channel,
        display_name: name,
        ...member("biz_account_id", account),
        ...member("phone_number_id", number),
        ...member("page_id", page),
        access_token,
        ...expiry(orUndefined(expires))
      })
      yield* printAnswer(environment, "connection.registered", answer)
    })
).pipe(Command.withDescription("Connect an account of the chat platform by a token that our app minted"))

/** Replaces a token; no send fails by it. M-CONN-31 */
export const rotate = Command.make(
  "rotate",
  { environment, id, tokenFile, expires },
  ({ environment, expires, id, tokenFile }) =>
    Effect.gen(function* () {
      const call = yield* callOf(environment)
      const body = { access_token: yield* readToken(tokenFile), ...expiry(orUndefined(expires)) }
      yield* printAnswer(
        environment,
        "connection.token_rotated",
        yield* (yield* ConnectionActions).rotate(call, id, body)
      )
    })
).pipe(Command.withDescription("Replace the token of a connection, after proving the new one"))

/** Proves the account of a pending connection by its stored token. M-CONN-20..22 */
export const complete = Command.make(
  "complete",
  { environment, id, account, number },
  ({ account, environment, id, number }) =>
    Effect.gen(function* () {
      const call = yield* callOf(environment)
      const body = { ...member("biz_account_id", account), ...member("phone_number_id", number) }
      yield* printAnswer(
        environment,
        "connection.completed",
        yield* (yield* ConnectionActions).complete(call, id, body)
      )
    })
).pipe(Command.withDescription("Complete a pending connection by the token it holds"))
