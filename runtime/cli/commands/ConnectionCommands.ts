import { parseId } from "@carteiro/owners/Ids.ts"
import {
  ConnectionChannel,
  ConnectionProvider,
  ConnectionStatus
} from "@carteiro/schema/provider-connections/ProviderConnection.ts"
import {
  InvalidProviderConnectionRequest,
  ProviderConnectionNotFound
} from "@carteiro/schema/provider-connections/ProviderConnectionErrors.ts"
import { Clock, Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { ConnectionAdmin, readConnection, remediesOf } from "../../provider-connections/Operator.ts"
import { recordChange } from "../kit/Audited.ts"
import { facts, print, table } from "../kit/Output.ts"
import { environment, foundEnvironment, idArgument, limit, orUndefined, yes } from "../kit/Parameters.ts"
import { complete, register, rotate } from "./CredentialCommands.ts"
import { ignored } from "./IgnoredCommand.ts"
import { setup } from "./SetupCommand.ts"

const id = idArgument("connection", "Id of the connection", "pcn_…")

const list = Command.make(
  "list",
  {
    environment,
    provider: Flag.Literals("provider", ConnectionProvider.literals).pipe(
      Flag.withDescription("Only these"),
      Flag.optional
    ),
    channel: Flag.Literals("channel", ConnectionChannel.literals).pipe(
      Flag.withDescription("Only these"),
      Flag.optional
    ),
    status: Flag.Literals("status", ConnectionStatus.literals).pipe(Flag.withDescription("Only these"), Flag.optional),
    limit
  },
  ({ channel, environment, limit, provider, status }) =>
    Effect.gen(function* () {
      yield* foundEnvironment(environment)
      const now = yield* Clock.currentTimeMillis
      const wanted = { provider: orUndefined(provider), channel: orUndefined(channel), status: orUndefined(status) }
      const found = yield* (yield* ConnectionAdmin).list(environment, limit, wanted)
      const rows = found.map((row) => [
        row.id,
        row.provider,
        row.channel,
        row.status,
        row.biz_account_id ?? row.provider_account_id ?? "",
        remediesOf(row, now).length === 0 ? "" : "yes",
        row.display_name
      ])
      yield* print(
        { data: found.map(readConnection) },
        table(["id", "provider", "channel", "status", "account", "to do", "name"], rows, "no connections")
      )
    })
).pipe(Command.withDescription("List connections of an environment, those that are over too, newest first"))

const show = Command.make("show", { environment, id }, ({ environment, id }) =>
  Effect.gen(function* () {
    yield* foundEnvironment(environment)
    const now = yield* Clock.currentTimeMillis
    const found = parseId("pcn", id) ? yield* (yield* ConnectionAdmin).find(environment, id) : undefined
    const row = found ?? (yield* new ProviderConnectionNotFound())
    const connection = readConnection(row)
    const accounts = connection.biz_account_send_capabilities.map((account) => [
      account.biz_account_id,
      account.send_capability ?? "not known",
      account.send_block_codes?.join(" ") ?? "",
      account.observed_at ?? "never"
    ])
    const todo = remediesOf(row, now).map(({ problem, remedy }) => `${problem} ${remedy}`)
    const plain = Object.entries(connection).flatMap(([name, value]) =>
      typeof value === "string" || typeof value === "boolean" ? [[name, value] as const] : []
    )
    yield* print(
      connection,
      [
        facts(Object.fromEntries(plain)),
        table(["account", "may send", "blocked by", "observed_at"], accounts, "no account is known"),
        ...todo
      ].join("\n\n")
    )
  })
).pipe(Command.withDescription("Show one connection, what its accounts may send, and what to do about it"))

const channels = Command.make("channels", { environment }, ({ environment }) =>
  Effect.gen(function* () {
    const { kind } = yield* foundEnvironment(environment)
    const now = yield* Clock.currentTimeMillis
    const told = yield* (yield* ConnectionAdmin).channels(environment, kind, now)
    const rows = Object.entries(told).map(([name, { active_mode, connection_id, reasons, status }]) => [
      name,
      status,
      active_mode ?? "",
      connection_id ?? "",
      reasons.join(" ")
    ])
    yield* print(
      { object: "provider_connection_status", environment: kind, channels: told },
      table(["channel", "status", "mode", "connection", "reasons"], rows, "")
    )
  })
).pipe(Command.withDescription("Tell whether each channel of an environment is ready, and why not"))

const disconnect = Command.make("disconnect", { environment, id, yes }, ({ environment, id, yes }) =>
  Effect.gen(function* () {
    const { organization_id } = yield* foundEnvironment(environment)
    if (!yes) {
      return yield* new InvalidProviderConnectionRequest({
        message: "Disconnecting erases the credential, and what is queued fails; repeat with --yes."
      })
    }
    const admin = yield* ConnectionAdmin
    const now = yield* Clock.currentTimeMillis
    const found = parseId("pcn", id) ? yield* admin.find(environment, id) : undefined
    if (found === undefined) return yield* new ProviderConnectionNotFound()
    const isOver = yield* admin.disconnect(environment, id, now)
    const row = (yield* admin.find(environment, id)) ?? found
    if (isOver) {
      yield* recordChange(organization_id, {
        action: "connection.disconnected",
        environment,
        subject: id,
        before: { status: found.status },
        after: { status: row.status }
      })
    }
    yield* print(readConnection(row), `disconnected ${id}`)
  })
).pipe(Command.withDescription("Disconnect an account and erase its credential"))

/** Accounts at providers of one environment. M-CONN-01..34, gaps-2 L */
export const connections = Command.make("connections").pipe(
  Command.withSubcommands([list, show, channels, register, rotate, complete, disconnect, ignored, setup])
)
