import { Commit } from "@carteiro/owners/Commit.ts"
import type { EnvironmentKind, KeyScope } from "@carteiro/schema/conventions/Access.ts"
import { type JsonText, jsonText, readJson } from "@carteiro/tables/StoredJson.ts"
import { Context, Effect, Layer } from "effect"
import { ApiKeyRepo } from "../keys/ApiKeyRepo.ts"
import { isProjectId, targetRefusal } from "../keys/ApiKeyRules.ts"
import { isDeviceId, readUserCode, showUserCode } from "./DeviceCodes.ts"
import { granted } from "./DeviceFlow.ts"
import { DeviceRepo } from "./DeviceRepo.ts"
import { decideDevice } from "./DeviceWrites.ts"

/** An open request as the approver sees it. gaps-1 E "Verification page"; instants in milliseconds. */
export interface OpenDeviceRequest {
  readonly id: string
  readonly user_code: string
  /** The name that the client gives itself; it is not verified. */
  readonly client_name: string
  readonly environment: EnvironmentKind
  readonly scopes: ReadonlyArray<KeyScope>
  readonly key_expires_at: number | null
  readonly source_ip: string
  readonly created_at: number
}

/** The signed-in owner or admin who decides. */
export interface Decider {
  readonly organization_id: string
  readonly member_id: string
}

/** The result of a decision: `gone` when the request is already decided, expired or unknown. */
export type Decided = "done" | "gone"

/**
 * Decisions of an organization's owners and admins about device requests. A-DEV-06..16, gaps-1 E "Verification page"
 */
export class DeviceApprovals extends Context.Service<
  DeviceApprovals,
  {
    /** Returns the open request of a user code as a person typed it; the read decides nothing. */
    findOpen(typed: string, now: number): Effect.Effect<OpenDeviceRequest | undefined>
    /** Grants the ticked scopes among the requested ones, in the chosen project's environment of the requested kind. */
    approve(
      id: string,
      by: Decider,
      choice: { readonly project_id: string; readonly scopes: ReadonlyArray<string> },
      now: number
    ): Effect.Effect<Decided | "project_not_found">
    deny(id: string, by: Decider, now: number): Effect.Effect<Decided>
  }
>()("@carteiro/runtime/access/devices/DeviceApprovals") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* DeviceRepo
      const keys = yield* ApiKeyRepo
      const commit = yield* Commit
      const decide = Effect.fnUntraced(function* (
        id: string,
        by: Decider,
        now: number,
        decision: {
          readonly status: "approved" | "denied"
          readonly project_id: string | null
          readonly environment_id: string | null
          readonly granted_scopes: JsonText<ReadonlyArray<KeyScope>> | null
        }
      ) {
        const row = decideDevice.row({
          id,
          decided_at: now,
          decided_by: by.member_id,
          organization_id: by.organization_id,
          ...decision
        })
        const written = yield* Effect.orDie(commit.write([row]))
        const decided: Decided = written(decideDevice.name).has(id) ? "done" : "gone"
        return decided
      })

      return DeviceApprovals.of({
        findOpen: (typed, now) => {
          const code = readUserCode(typed)
          return code === undefined
            ? Effect.undefined
            : Effect.map(repo.findOpen(code, now), (row) =>
                row === undefined
                  ? undefined
                  : {
                      id: row.id,
                      user_code: showUserCode(row.user_code),
                      client_name: row.client_name,
                      environment: row.environment_kind,
                      scopes: readJson(row.scopes),
                      key_expires_at: row.key_expires_at,
                      source_ip: row.source_ip,
                      created_at: row.created_at
                    }
              )
        },
        approve: Effect.fnUntraced(function* (id, by, choice, now) {
          const row = isDeviceId(id) ? yield* repo.find(id) : undefined
          if (row === undefined) return "gone"
          if (!isProjectId(choice.project_id)) return "project_not_found"
          const target = yield* keys.findTarget(by.organization_id, choice.project_id, row.environment_kind)
          const minter = {
            ...choice,
            organization_id: by.organization_id,
            environment: row.environment_kind,
            scopes: []
          }
          if (target === undefined || targetRefusal(target, minter) !== undefined) return "project_not_found"
          return yield* decide(id, by, now, {
            status: "approved",
            project_id: choice.project_id,
            environment_id: target.environment_id,
            granted_scopes: jsonText(granted(readJson(row.scopes), choice.scopes))
          })
        }),
        deny: (id, by, now) =>
          !isDeviceId(id)
            ? Effect.succeed("gone")
            : decide(id, by, now, { status: "denied", project_id: null, environment_id: null, granted_scopes: null })
      })
    })
  )
}
