import type { OwnerHandle } from "@carteiro/owners/Owner.ts"
import { Effect } from "effect"
import { GroupCommands } from "./GroupCommands.ts"
import type * as Items from "./GroupItems.ts"
import { type GroupsState, makeGroupQueues } from "./GroupQueue.ts"
import { PhoneGroupsEntity } from "./PhoneGroupsEntity.ts"

/** Hosts the owners. */
export const phoneGroupsOwners = PhoneGroupsEntity.toLayer(
  Effect.gen(function* () {
    const commands = yield* GroupCommands
    const queueOf = yield* makeGroupQueues
    return {
      load: (owner: OwnerHandle, _saved: string | undefined, before: GroupsState | undefined) =>
        Effect.sync((): GroupsState => {
          owner.dueAt(owner.now() + 1)
          const state = { queue: before?.queue ?? queueOf(owner) }
          state.queue.follow(owner, state)
          return state
        }),
      work: (state: GroupsState, owner) => state.queue.pass(state, owner),
      handlers: {
        Create: {
          read: (items: ReadonlyArray<Items.CreateItem>, _state: GroupsState, owner) =>
            commands.readEligibilities(owner.id, items),
          decide: (items, known, _state, owner, now) =>
            items.map((item) => commands.create(owner, item, known.get(item.environment_id), now))
        },
        Delete: {
          read: (items: ReadonlyArray<Items.GroupItem>) => commands.readGroups(items),
          decide: (items, known, _state, owner, now) =>
            items.map((item) => commands.remove(owner, item, known.get(item.id), now))
        },
        ResetLink: {
          read: (items: ReadonlyArray<Items.GroupItem>) => commands.readGroups(items),
          decide: (items, known, _state, owner, now) =>
            items.map((item) => commands.reset(owner, item, known.get(item.id), now))
        },
        Check: {
          read: (items: ReadonlyArray<Items.CheckItem>, _state: GroupsState, owner) =>
            commands.readEligibilities(owner.id, items),
          decide: (items, known, _state, owner, now) =>
            items.map((item) => commands.check(owner, item, known.get(item.environment_id), now))
        },
        Participate: {
          read: (items: ReadonlyArray<Items.ParticipantItem>) => commands.readParticipants(items),
          decide: (items, known, _state, _owner, now) =>
            items.map((item, at) => commands.participate(item, known[at], now))
        },
        Report: {
          read: (items: ReadonlyArray<Items.ReportItem>) => commands.readGroups(items),
          decide: (items, known, _state, _owner, now) =>
            items.map((item) => commands.report(item, known.get(item.id), now))
        }
      }
    }
  })
)
